import type { WithParts } from "../message/message.ts";
import { isCompleteSummary } from "./compaction-message.ts";
import type { MessageEstimator } from "./estimate-tokens.ts";

/** A compaction that frees less than this share of the window would soon be followed by the next. */
const leastProgress = 0.1;

/** Estimated tokens of some messages. */
export function sumTokens(entries: readonly WithParts[], estimate: MessageEstimator): number {
  let sum = 0;
  for (const entry of entries) sum += estimate(entry).total;
  return sum;
}

/** Whether a window that was so large shrinks enough, if so many estimated tokens of it stay. */
export function isShrinking(before: number, after: number): boolean {
  return before > 0 && after <= before * (1 - leastProgress);
}

/**
 * Whether a compaction may take effect: its summary is complete, and the window becomes smaller by it. Ask before its rows
 * are written.
 *
 * @param before the window as it is
 * @param after the window as it would be: `[compaction message, summary, ...]`
 */
export function isProgress(before: readonly WithParts[], after: readonly WithParts[], estimate: MessageEstimator): boolean {
  const summary = after[1];
  return summary !== undefined && isCompleteSummary(summary) && isShrinking(sumTokens(before, estimate), sumTokens(after, estimate));
}
