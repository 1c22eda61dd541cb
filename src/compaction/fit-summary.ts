import { isReadable } from "../message/is-readable.ts";
import type { WithParts } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { ModelOutput, ToolState } from "../message/tool-state.ts";
import { boundaryOf } from "./compaction-message.ts";
import { estimateMessage, type MessageEstimator } from "./estimate-tokens.ts";
import { sumTokens } from "./is-progress.ts";

/** What a summary request shows of the head. */
export interface SummaryContent {
  entries: readonly WithParts[];
  /** Tool outputs are cut to so many characters, and media described in words. `undefined`: all is shown as it was. */
  outputChars: number | undefined;
  /** How many messages are missing because they do not fit. */
  leftOut: number;
}

/** To how many characters outputs are cut: OpenCode's figure, and less where that is still too much. */
const outputSizes = [2_000, 500, 100] as const;
const smallestOutput = 100;
/** One line says what a medium was. */
const mediumLine = "x".repeat(100);

/**
 * Chooses what of the head a summary request can show: all of it as it is, then with outputs cut, then without what is
 * oldest. An earlier summary stays in any case.
 *
 * @param room estimated tokens that the request may have for it
 * @param shorten the request as it is was refused, or would be: begin with the outputs cut
 * @returns `undefined` when nothing fits
 */
export function fitSummary(head: readonly WithParts[], room: number, { shorten, estimate }: { shorten: boolean; estimate: MessageEstimator }): SummaryContent | undefined {
  if (!shorten && sumTokens(head, estimate) <= room) return { entries: head, outputChars: undefined, leftOut: 0 };
  for (const outputChars of outputSizes) {
    if (sumTokens(head, (entry) => estimateMessage(shortened(entry, outputChars))) <= room) return { entries: head, outputChars, leftOut: 0 };
  }
  return newestThatFit(head, room);
}

/** The newest messages that fit, behind an earlier summary. One that is too large by itself does not keep older ones out. */
function newestThatFit(head: readonly WithParts[], room: number): SummaryContent | undefined {
  const fixed = boundaryOf(head)?.length ?? 0;
  const sizeOf = (entry: WithParts): number => estimateMessage(shortened(entry, smallestOutput)).total;
  let left = room - sumTokens(head.slice(0, fixed), (entry) => ({ total: sizeOf(entry), results: 0 }));
  const fits: WithParts[] = [];
  for (const entry of head.slice(fixed).reverse()) {
    const size = sizeOf(entry);
    if (size > left) continue;
    left -= size;
    fits.push(entry);
  }
  if (fits.length === 0 || left < 0) return undefined;
  return { entries: [...head.slice(0, fixed), ...fits.reverse()], outputChars: smallestOutput, leftOut: head.length - fixed - fits.length };
}

/** The message about as large as a request shows it that cuts outputs and describes media. */
function shortened({ info, parts }: WithParts, outputChars: number): WithParts {
  return { info, parts: parts.map((part) => (isReadable(part) ? shortenedPart(part, outputChars) : part)) };
}

function shortenedPart(part: Part, outputChars: number): Part {
  if (part.type === "file") return { id: part.id, sessionID: part.sessionID, messageID: part.messageID, type: "text", text: mediumLine };
  return part.type === "tool" ? { ...part, state: shortenedState(part.state, outputChars) } : part;
}

function shortenedState(state: ToolState, outputChars: number): ToolState {
  if (state.status === "error") return { ...state, error: state.error.slice(0, outputChars), modelOutput: undefined };
  if (state.status !== "completed") return state;
  const text = state.modelOutput === undefined ? state.output : textOf(state.modelOutput);
  return { ...state, output: text.slice(0, outputChars), modelOutput: undefined, attachments: undefined };
}

function textOf(output: ModelOutput): string {
  if (output.type === "content") return output.value.map((item) => (item.type === "text" ? item.text : mediumLine)).join("\n");
  if (output.type === "execution-denied") return mediumLine;
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value);
}
