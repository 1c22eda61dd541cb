import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelRequest } from "./model-request.ts";

/** Token counts in disjoint buckets, as on a stored message. A bucket that is left out counts 0. */
export interface ReplyTokens {
  /** Prompt tokens that were neither read from nor written to a cache. */
  input?: number | undefined;
  /** Generated tokens, without reasoning. */
  output?: number | undefined;
  /** Generated reasoning tokens. */
  reasoning?: number | undefined;
  cache?: { read?: number | undefined; write?: number | undefined } | undefined;
}

/** What a scripted call reports as used: token counts, or the AI SDK's own usage object for odd ones. */
export type ReplyUsage = ReplyTokens | LanguageModelV4Usage;

const charactersPerToken = 4;

/** Usage in the AI SDK's form. */
export function toModelUsage(usage: ReplyUsage): LanguageModelV4Usage {
  if ("inputTokens" in usage) return usage;
  const { input = 0, output = 0, reasoning = 0, cache = {} } = usage;
  const { read = 0, write = 0 } = cache;
  return {
    inputTokens: { total: input + read + write, noCache: input, cacheRead: read, cacheWrite: write },
    outputTokens: { total: output + reasoning, text: output, reasoning },
  };
}

/** Usage of a call that states none: the same for the same texts, and finite. */
export function estimateUsage(request: ModelRequest, generated: { text: number; reasoning: number }): LanguageModelV4Usage {
  return toModelUsage({
    input: tokens(countCharacters(request.prompt)),
    output: tokens(generated.text),
    reasoning: tokens(generated.reasoning),
  });
}

function tokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

function countCharacters(value: unknown): number {
  if (typeof value === "string") return value.length;
  // Media are not paid by the length of their base64 text: a picture must not look like a full context.
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || isFile(value)) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countCharacters(inner), 0);
}

function isFile(value: object): boolean {
  return "mediaType" in value && "data" in value;
}
