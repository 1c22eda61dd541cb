import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ProviderMetadata } from "./json.ts";
import type { AssistantMessage } from "./message.ts";
import type { AssistantContent } from "./model-prompt.ts";
import type { ModelRef } from "./model-ref.ts";
import { wellFormedJSON } from "./well-formed.ts";

/** How a stored assistant message relates to the model that is called now. */
export interface Origin {
  /** The model call came to its end, whichever model it was. */
  ended: boolean;
  /** The same model made it. */
  own: boolean;
  /** And its call completed: only then do signatures and item ids stand for something that the provider knows. */
  complete: boolean;
}

export function originOf(message: AssistantMessage, model: ModelRef | undefined): Origin {
  const own = model !== undefined && message.providerID === model.providerID && message.modelID === model.modelID;
  const ended = cameToEnd(message);
  return { ended, own, complete: own && ended };
}

/**
 * Whether the model call came to its end: not failed, aborted or cut. An abort or a crash while tools run comes after that
 * end: the calls then stay, and a provider refuses them without the reasoning and the signatures that led to them.
 */
export function cameToEnd({ error, finish }: AssistantMessage): boolean {
  if (finish === undefined || finish === "error" || finish === "interrupted") return false;
  return error === undefined || error.code === "aborted" || error.code === "interrupted";
}

/** What a part has to carry back to its provider: nothing, unless the origin is right. */
export function returnedMetadata(metadata: ProviderMetadata | undefined, origin: Origin): SharedV4ProviderOptions | undefined {
  if (!origin.complete || metadata === undefined || Object.keys(metadata).length === 0) return undefined;
  return wellFormedJSON<ProviderMetadata>(metadata);
}

/** Gives new content what it has to carry back to its provider. Without anything it has no such field. */
export function withOptions<T extends AssistantContent>(content: T, providerOptions: SharedV4ProviderOptions | undefined): T {
  if (providerOptions !== undefined) content.providerOptions = providerOptions;
  return content;
}
