import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { Tokens } from "../message/tokens.ts";
import { fieldOf } from "../util/error-message.ts";

type Side<Name extends keyof LanguageModelV4Usage> = Partial<LanguageModelV4Usage[Name]>;

/**
 * A provider's usage in disjoint buckets: what it said, with everything that is no count (missing, negative, not finite,
 * not a number) as 0. Whether a figure is plausible is not judged here.
 *
 * Providers count in two styles. Where a total includes what was cached (OpenAI, Google), or the reasoning, the rest is
 * the difference; where it excludes them (Anthropic, Bedrock; xAI's reasoning), it is the rest itself. A bucket that is
 * given wins over one that is computed.
 */
export function normalizeUsage(usage: LanguageModelV4Usage | undefined, metadata?: SharedV4ProviderMetadata): Tokens {
  // Required by the specification, and left out all the same, whole or in half, by servers behind compatible providers.
  const given: { [Name in keyof LanguageModelV4Usage]?: LanguageModelV4Usage[Name] | null } = usage ?? {};
  const input: Side<"inputTokens"> = given.inputTokens ?? {};
  const output: Side<"outputTokens"> = given.outputTokens ?? {};
  const read = count(input.cacheRead);
  const write = input.cacheWrite === undefined ? cacheWriteOf(metadata) : count(input.cacheWrite);
  const reasoning = count(output.reasoning);
  const isExclusive = excludesCache(metadata);
  return {
    input: remainder(input.noCache, count(input.total), isExclusive ? 0 : read + write),
    output: remainder(output.text, count(output.total), reasoning),
    reasoning,
    cache: { read, write },
  };
}

/** What is left of a total without its parts. A total that is smaller than its parts does not include them: it is the rest. */
function remainder(given: unknown, total: number, parts: number): number {
  if (parts > total) return Math.max(count(given), total);
  return isCount(given) ? count(given) : total - parts;
}

/**
 * Models of specification V2 state no cache write and no rest. Their Anthropic and Bedrock packages leave cached tokens out
 * of the total, and say how many were written in their metadata.
 */
function excludesCache(metadata: SharedV4ProviderMetadata | undefined): boolean {
  return metadata?.["anthropic"] !== undefined || metadata?.["bedrock"] !== undefined;
}

function cacheWriteOf(metadata: SharedV4ProviderMetadata | undefined): number {
  return count(fieldOf(metadata?.["anthropic"], "cacheCreationInputTokens")) || count(fieldOf(fieldOf(metadata?.["bedrock"], "usage"), "cacheWriteInputTokens"));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** Bounded, so that sums of counts stay finite. */
function count(value: unknown): number {
  return isCount(value) ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0;
}
