import type { WithParts } from "../message/message.ts";
import { usableContext, type ContextLimits } from "./context-budget.ts";
import type { MessageEstimator } from "./estimate-tokens.ts";
import { sumTokens } from "./is-progress.ts";
import type { ContextMeasure } from "./measure-context.ts";
import { choosePrune, type PruneChoice } from "./prune.ts";
import { selectTail, type TailChoice } from "./select-tail.ts";

/** What a policy decides by. */
export interface CompactionContext {
  /** Limits of the model that will be called, if they are known. */
  limits: ContextLimits | undefined;
  /** Estimates messages, each only once. */
  estimate: MessageEstimator;
}

/**
 * When and how a history is compacted. All of it is pure; the session makes the calls and writes the rows. Windows are as
 * `filterCompacted` gives them, oldest message first.
 *
 * @example
 * const agent = createAgent({ model, contextLimits, compaction: { policy: { isOverflow: ({ tokens }) => tokens > 50_000 } } })
 */
export interface CompactionPolicy {
  /** Tokens of a request beyond which it is too large; `undefined` when that is not known. */
  usable(limits: ContextLimits | undefined): number | undefined;
  /** Whether the next request is too large. A provider's refusal counts without being asked about. */
  isOverflow(measure: ContextMeasure, limits: ContextLimits | undefined): boolean;
  /** Which tool outputs to clear before anything is summarised. */
  choosePrune(window: readonly WithParts[], context: CompactionContext): PruneChoice;
  /** What to summarise and what to keep; `undefined` when the window cannot be made smaller. */
  selectTail(window: readonly WithParts[], context: CompactionContext): TailChoice | undefined;
}

/** Options of the default policy. */
export interface CompactionPolicyOptions {
  /** Tokens of the window that stay free for the answer. Default `min(limits.output, 32,000)`. */
  reserve?: number | undefined;
  /** What stays verbatim behind a summary. */
  tail?: {
    /** Most turns; 0 for none. Default 2 (OpenCode's `tail_turns`). */
    turns?: number | undefined;
    /** Most estimated tokens. Default a quarter of the usable window, but 2,000 to 8,000 (OpenCode's figures). */
    tokens?: number | undefined;
  } | undefined;
}

const defaultTurns = 2;
const tailShare = 0.25;
const leastTail = 2_000;
const mostTail = 8_000;
/** Results that no model has seen may take so much of the window: summarised unseen, they would be fetched again. */
const newestStepShare = 0.5;

/** The policy that sessions use unless they are given another one. */
export function compactionPolicy(options: CompactionPolicyOptions = {}): CompactionPolicy {
  const { reserve, tail } = options;
  const usable = (limits: ContextLimits | undefined): number | undefined => limits && usableContext(limits, reserve);
  return {
    usable,
    isOverflow: (measure, limits) => limits !== undefined && measure.tokens >= usableContext(limits, reserve),
    choosePrune: (window, { limits }) => choosePrune(window, usable(limits)),
    selectTail(window, { limits, estimate }) {
      // Without limits the window itself, which the provider refused or somebody found too large, is the only scale.
      const size = usable(limits) ?? sumTokens(window, estimate);
      const tokens = tail?.tokens ?? (limits === undefined ? mostTail : Math.min(mostTail, Math.max(leastTail, size * tailShare)));
      return selectTail(window, { turns: tail?.turns ?? defaultTurns, tokens, newestStep: size * newestStepShare }, estimate);
    },
  };
}
