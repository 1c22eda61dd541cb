import { isReadable } from "../message/is-readable.ts";
import type { WithParts } from "../message/message.ts";
import { boundaryOf, isPrompt, isUnanswered, pairLength } from "./compaction-message.ts";
import { estimateMessage, type MessageEstimator } from "./estimate-tokens.ts";
import { isShrinking } from "./is-progress.ts";

/** How much of the window stays verbatim. */
export interface TailBudget {
  /** Most turns. 0: no tail at all. */
  turns: number;
  /** Most estimated tokens of the tail. */
  tokens: number;
  /** Most estimated tokens of the newest step of an unanswered turn, whose results no model has seen yet. */
  newestStep: number;
}

/** What becomes of a window in a compaction. */
export interface TailChoice {
  /** What the summary is to cover: the window up to the tail, an earlier summary and kept prompts included. */
  head: readonly WithParts[];
  /** For `tail_start_id` of the compaction part. Absent without a tail. */
  tailStartID: string | undefined;
  /** For `kept` of the compaction part: prompts of the head that stay verbatim, oldest first. */
  kept: readonly string[];
  /** The verbatim part of the window that follows the kept prompts. */
  tail: readonly WithParts[];
}

/**
 * Divides a window into a head to summarise and a tail that stays. The tail is made of whole turns, newest first; of an
 * unanswered turn that is too large the newest steps stay. Unanswered prompts always stay. Where a tail would leave too
 * little to summarise there is none.
 *
 * @param window as `filterCompacted` gives it, oldest message first
 * @returns `undefined` when a summary cannot make the window smaller: what is left are unanswered prompts
 */
export function selectTail(window: readonly WithParts[], budget: TailBudget, estimate: MessageEstimator = estimateMessage): TailChoice | undefined {
  const sizes = window.map((entry) => estimate(entry).total);
  const starts = [tailStart(window, sizes, budget), window.length];
  const start = starts.find((candidate) => canShrink(window, sizes, candidate));
  if (start === undefined) return undefined;
  const head = window.slice(0, start);
  return { head, tailStartID: window[start]?.info.id, kept: head.filter(isUnanswered).map(({ info }) => info.id), tail: window.slice(start) };
}

/** Whether the window becomes smaller enough, if what is new in the head came to nothing. */
function canShrink(window: readonly WithParts[], sizes: readonly number[], start: number): boolean {
  const covered = boundaryOf(window) === undefined ? 0 : pairLength;
  let before = 0;
  let after = 0;
  window.forEach((entry, index) => {
    const size = sizes[index] ?? 0;
    before += size;
    if (index < covered || index >= start || isUnanswered(entry)) after += size;
  });
  return isShrinking(before, after);
}

/** Where the tail begins, as far as the budget says; the window's length for no tail. */
function tailStart(window: readonly WithParts[], sizes: readonly number[], budget: TailBudget): number {
  // Kept prompts are no part of a tail: what stood between them and the rest was summarised.
  const oldest = boundaryOf(window)?.length ?? 0;
  const isCut = legalCuts(window);
  const isOwed = owedMessages(window);
  const newestStep = window.findLastIndex(({ info }) => info.role === "assistant");
  const isUnseen = (entry: WithParts, index: number): boolean => index >= newestStep && isOwed(entry);
  /** The start of the turns that fit as a whole, and the oldest place where the window can be cut among what fits. */
  let whole = window.length;
  let suffix = window.length;
  let tokens = 0;
  let turns = 0;
  for (const [index, entry] of [...window.entries()].slice(oldest).reverse()) {
    if (turns === budget.turns) break;
    tokens += sizes[index] ?? 0;
    const limit = isUnseen(entry, index) ? Math.max(budget.tokens, budget.newestStep) : budget.tokens;
    if (tokens > limit) return isOwed(entry) ? suffix : whole;
    if (!isCut(index)) continue;
    suffix = index;
    if (index > oldest && !isPrompt(entry)) continue;
    whole = index;
    turns += 1;
  }
  return whole;
}

/** Tells messages of turns that the model still owes an answer. */
function owedMessages(window: readonly WithParts[]): (entry: WithParts) => boolean {
  const prompts = new Set(window.filter(isUnanswered).map(({ info }) => info.id));
  return ({ info }) => prompts.has(info.role === "assistant" ? info.parentID : info.id);
}

/**
 * Tells the places where a window can be cut. A call and its result are one row, except for a provider's call whose result
 * came in a later message: between them there is no cut.
 */
function legalCuts(window: readonly WithParts[]): (index: number) => boolean {
  const calls = new Map<string, number>();
  const bound = new Set<number>();
  window.forEach(({ parts }, index) => {
    for (const part of parts) {
      if (!isReadable(part) || part.type !== "tool" || part.deferred === undefined) continue;
      if (part.deferred === "call") calls.set(part.callID, index);
      else for (let place = (calls.get(part.callID) ?? index) + 1; place <= index; place += 1) bound.add(place);
    }
  });
  return (index) => !bound.has(index);
}
