import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import type { MessageErrorCode } from "../message/message-error.ts";

/** A finish that is a failure of the call, whatever came before it. */
export interface FinishFailure {
  code: MessageErrorCode;
  message: string;
}

/** Reasons in the provider's own words, which the unified reason hides: most are only `length` or `other` there. */
const rawReasons: Partial<Record<string, FinishFailure>> = {
  // Anthropic and z.ai: the answer reached the end of the context window, which is no output limit.
  model_context_window_exceeded: { code: "overflow", message: "The conversation and the answer no longer fit into the model's context window." },
  // z.ai: the inference failed. DeepSeek: it was interrupted for lack of resources.
  network_error: { code: "overloaded", message: "The provider failed while the model answered." },
  insufficient_system_resource: { code: "overloaded", message: "The provider had too much to do to finish the answer." },
  // z.ai
  sensitive: { code: "content-filter", message: "The provider's content filter ended the answer." },
};

const unifiedReasons: Partial<Record<string, FinishFailure>> = {
  error: { code: "unknown", message: "The provider ended the answer with an error and gave no reason." },
  interrupted: { code: "truncated-stream", message: "The model's answer broke off before its end." },
  "content-filter": { code: "content-filter", message: "The provider's content filter ended the answer." },
};

/** Why a call that finished has failed all the same, if it has. */
export function finishFailure({ unified, raw }: LanguageModelV4FinishReason): FinishFailure | undefined {
  // Models of providers that break the specification end with anything: only a name of the tables counts.
  if (typeof raw === "string" && Object.hasOwn(rawReasons, raw)) return rawReasons[raw];
  return Object.hasOwn(unifiedReasons, unified) ? unifiedReasons[unified] : undefined;
}
