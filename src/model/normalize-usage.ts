import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Tokens } from "../message/tokens.ts";

/**
 * A provider's usage in disjoint buckets. Missing, negative and non-finite figures count as 0. Providers differ in
 * whether a total includes cached or reasoning tokens, so a bucket that is given wins over one that is computed.
 */
export function normalizeUsage(usage: LanguageModelV4Usage | undefined): Tokens {
  // Required by the specification, and left out all the same, whole or in half, by servers behind compatible providers.
  const given: { [Side in keyof LanguageModelV4Usage]?: LanguageModelV4Usage[Side] | null } = usage ?? {};
  const inputTokens: Partial<LanguageModelV4Usage["inputTokens"]> = given.inputTokens ?? {};
  const outputTokens: Partial<LanguageModelV4Usage["outputTokens"]> = given.outputTokens ?? {};
  const read = count(inputTokens.cacheRead);
  const write = count(inputTokens.cacheWrite);
  const reasoning = count(outputTokens.reasoning);
  const total = count(outputTokens.total);
  return {
    input: inputTokens.noCache === undefined ? Math.max(0, count(inputTokens.total) - read - write) : count(inputTokens.noCache),
    // Some providers leave reasoning out of the total: it is then smaller than its part, and nothing is subtracted.
    output: outputTokens.text === undefined ? (total >= reasoning ? total - reasoning : total) : count(outputTokens.text),
    reasoning,
    cache: { read, write },
  };
}

function count(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}
