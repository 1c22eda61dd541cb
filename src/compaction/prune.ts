import type { WithParts } from "../message/message.ts";
import { isReadable } from "../message/is-readable.ts";
import type { ToolPart } from "../message/part.ts";
import { transition, type ToolStateCompleted } from "../message/tool-state.ts";
import { isPrompt, isSummary } from "./compaction-message.ts";
import { clearedTokens, estimateToolOutput } from "./estimate-tokens.ts";
import type { ContextMeasure } from "./measure-context.ts";

/** A call whose output can be cleared. */
export type PrunablePart = ToolPart & { state: ToolStateCompleted };

/** Which outputs to clear. */
export interface PruneChoice {
  /** Newest first. */
  parts: readonly PrunablePart[];
  /** Estimated tokens that clearing them frees. */
  frees: number;
}

/** The newest turns whose outputs stay. OpenCode's figure. */
const protectedTurns = 2;
/** The newest outputs that stay, in tokens. OpenCode's PRUNE_PROTECT; for a small window a share of it. */
const protectedTokens = 40_000;
const protectedShare = 0.4;
/** Less than this is not worth a new prefix, in tokens. OpenCode's PRUNE_MINIMUM; for a small window a share of it. */
const leastTokens = 20_000;
const leastShare = 0.2;
/** A prune that leaves less room than this would soon be followed by a summary: two new prefixes instead of one. */
const enoughShare = 0.8;

/**
 * Chooses the tool outputs that the model no longer needs to see: those of older turns, beyond the newest outputs, back to
 * the last summary. All or nothing: none, if that would free too little. Only marks are set; the outputs stay stored.
 *
 * @param window as `filterCompacted` gives it, oldest message first
 * @param usable tokens of the model's window that can be used, if known
 */
export function choosePrune(window: readonly WithParts[], usable = Number.POSITIVE_INFINITY): PruneChoice {
  const protectedOutputs = Math.min(protectedTokens, usable * protectedShare);
  const parts: PrunablePart[] = [];
  let turns = 0;
  let outputs = 0;
  let frees = 0;
  for (let index = window.length - 1; index >= 0; index -= 1) {
    const entry = window[index];
    if (entry === undefined || isSummary(entry)) break;
    for (const part of prunableParts(entry)) {
      const tokens = estimateToolOutput(part.state);
      outputs += tokens;
      if (turns < protectedTurns || outputs <= protectedOutputs || tokens <= clearedTokens) continue;
      parts.push(part);
      frees += tokens - clearedTokens;
    }
    if (isPrompt(entry)) turns += 1;
  }
  return frees >= Math.min(leastTokens, usable * leastShare) ? { parts, frees } : { parts: [], frees: 0 };
}

/** Calls with an output that the model is still shown, newest first. A provider's own results are the provider's to change. */
function prunableParts({ info, parts }: WithParts): PrunablePart[] {
  if (info.role === "user") return [];
  return parts.filter(isPrunable).reverse();
}

function isPrunable(part: WithParts["parts"][number]): part is PrunablePart {
  if (!isReadable(part) || part.type !== "tool" || part.providerExecuted === true) return false;
  return part.state.status === "completed" && part.state.time.compacted === undefined;
}

/** The part with its output cleared. Nothing else of it changes. @param now milliseconds since the epoch */
export function markCompacted(part: PrunablePart, now: number): PrunablePart {
  const state = transition(part.state, { ...part.state, time: { ...part.state.time, compacted: now } });
  return { ...part, state };
}

/** Whether no summary is needed after this prune: the request then fits, with room for some more steps. */
export function isPruneEnough({ tokens, correction }: ContextMeasure, { frees }: PruneChoice, usable: number | undefined): boolean {
  return usable !== undefined && frees > 0 && tokens - frees * correction < usable * enoughShare;
}
