import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { PartBase } from "../../message/file-part.ts";
import type { AssistantMessage } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import { dataURL } from "../../util/data-url.ts";
import { CallFold } from "./call-fold.ts";
import type { InputHooks } from "./input-hooks.ts";
import { isSoundPart } from "./is-sound-part.ts";
import { metadataOf } from "./metadata-of.ts";
import type { StepContext } from "./step-context.ts";
import { StepParts } from "./step-parts.ts";
import { TextFold } from "./text-fold.ts";

type StreamPart<T extends LanguageModelV4StreamPart["type"]> = Extract<LanguageModelV4StreamPart, { type: T }>;

/** Folds the stream of one model call into parts. */
export class StepFold {
  readonly parts: StepParts;
  readonly calls: CallFold;
  /** What the provider said at the end; absent while the stream has not ended properly. */
  finish: StreamPart<"finish"> | undefined;
  /** The first error part. */
  error: { cause: unknown } | undefined;
  readonly #text: TextFold;
  readonly #base: Omit<PartBase, "id">;
  readonly #context: StepContext;

  constructor(message: AssistantMessage, context: StepContext, hooks?: InputHooks) {
    this.#context = context;
    this.#base = { sessionID: message.sessionID, messageID: message.id };
    this.parts = new StepParts(context.journal);
    this.#text = new TextFold(this.parts, this.#base, context);
    this.calls = new CallFold(this.parts, this.#base, context, hooks);
  }

  /** Takes the next part of the stream. Returns false when there is no use in reading on. */
  take(part: LanguageModelV4StreamPart): boolean {
    if (!isSoundPart(part)) {
      this.#context.log({ level: "warn", message: "A part of the model's stream lacks what it needs, and was ignored.", part });
      return true;
    }
    switch (part.type) {
      case "text-delta":
        this.#text.append("text", part.id, part.delta, part.providerMetadata);
        return true;
      case "reasoning-delta":
        this.#text.append("reasoning", part.id, part.delta, part.providerMetadata);
        return true;
      case "text-start":
        this.#text.open("text", part.id, part.providerMetadata);
        return true;
      case "reasoning-start":
        this.#text.open("reasoning", part.id, part.providerMetadata);
        return true;
      case "text-end":
        this.#text.close("text", part.id, part.providerMetadata);
        return true;
      case "reasoning-end":
        this.#text.close("reasoning", part.id, part.providerMetadata);
        return true;
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
      case "tool-call":
      case "tool-result":
      case "tool-approval-request":
        this.calls.take(part);
        return true;
      case "file":
      case "reasoning-file":
        this.#takeFile(part);
        return true;
      case "source":
        this.#takeSource(part);
        return true;
      case "custom":
        this.#add({ type: "custom", kind: part.kind, ...metadataOf(part) });
        return true;
      case "finish":
        this.finish = { ...part, finishReason: reasonOf(part) };
        return true;
      case "error":
        this.error = { cause: part.error };
        return false;
      case "stream-start":
        for (const warning of warningsOf(part)) this.#context.log({ level: "warn", message: "The model warned about a setting.", warning });
        return true;
      case "response-metadata":
      case "ping":
      case "raw":
        return true;
      default:
        // Providers get new part types in patch releases; an unknown one must not end the call.
        this.#context.log({ level: "debug", message: "An unknown part of the model's stream was ignored.", part });
        return true;
    }
  }

  /** The stream has ended, however: closes what is open. */
  close(): void {
    this.#text.closeAll();
  }

  #takeFile(part: StreamPart<"file" | "reasoning-file">): void {
    const url = part.data.type === "url" ? String(part.data.url) : dataURL(part.mediaType, part.data.data);
    this.#add({ type: "file", mime: part.mediaType, url, ...(part.type === "reasoning-file" && { reasoning: true }), ...metadataOf(part) });
  }

  #takeSource(part: StreamPart<"source">): void {
    const { id: sourceID, title, url, mediaType: mime, filename }: Partial<Record<"title" | "url" | "mediaType" | "filename", unknown>> & { id: string } = part;
    const texts = { title: textOf(title), ...(part.sourceType === "url" ? { url: textOf(url) } : { mime: textOf(mime), filename: textOf(filename) }) };
    this.#add({ type: "source", sourceID, ...texts, ...metadataOf(part) });
  }

  #add(part: DistributiveOmit<Part, keyof PartBase>): void {
    this.parts.add({ id: this.#context.ids("prt"), ...this.#base, ...part });
  }
}

/**
 * Required by the specification; a finish without one is still a finish, of which nothing is known. Models of older
 * specifications say it in one word.
 */
function reasonOf({ finishReason: reason }: { finishReason?: unknown }): LanguageModelV4FinishReason {
  const { unified, raw }: { unified?: unknown; raw?: unknown } = typeof reason === "object" && reason !== null ? reason : { unified: reason };
  // A word that is new is taken as it is: what is not known to let calls run does not.
  return { unified: (textOf(unified) ?? "other") as LanguageModelV4FinishReason["unified"], raw: textOf(raw) };
}

function warningsOf({ warnings }: { warnings?: unknown }): readonly unknown[] {
  return Array.isArray(warnings) ? warnings : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
