import { fields, positiveInteger, type OptionCheck } from "../util/check-options.ts";

/** What a model takes. All in tokens. */
export interface ContextLimits {
  /** The whole window: what is sent and what is answered. */
  context: number;
  /** Most tokens of one answer. */
  output: number;
  /** Most tokens that may be sent, where the provider has a limit of its own for that. */
  input?: number | undefined;
}

export const checkContextLimits: OptionCheck = fields<ContextLimits>({ context: positiveInteger, output: positiveInteger, input: positiveInteger }, ["context", "output"]);

/** OpenCode's OUTPUT_TOKEN_MAX: an answer seldom needs more, whatever the model's limit is. */
const maxReserve = 32_000;
/** OpenCode's COMPACTION_BUFFER: a limit on what is sent leaves the answer its own room. */
const maxInputReserve = 20_000;
/** A reserve never takes more of the window than the other half: a budget of nothing would mean "always over". */
const leastShare = 0.5;

/** Most tokens that can be sent at all. */
export function inputWindow({ context, input }: ContextLimits): number {
  return Math.min(context, input ?? context);
}

/**
 * How many tokens a request may have before the history is compacted: the window without a reserve for the answer, and at
 * least half of it.
 *
 * @param reserve tokens; default `min(output, 32,000)`
 */
export function usableContext(limits: ContextLimits, reserve: number = Math.min(limits.output, maxReserve)): number {
  const { context, input } = limits;
  const usable = Math.min(context - reserve, (input ?? Number.POSITIVE_INFINITY) - Math.min(reserve, maxInputReserve));
  return Math.max(usable, Math.ceil(inputWindow(limits) * leastShare));
}
