import { isReadable } from "../message/is-readable.ts";
import type { AssistantMessage, UserMessage, WithParts } from "../message/message.ts";
import type { CompactionPart } from "../message/part.ts";
import { cameToEnd } from "../message/project-origin.ts";

/** The mark of a compaction message; `undefined` for any other message. */
export function compactionOf({ info, parts }: WithParts): CompactionPart | undefined {
  if (info.role !== "user") return undefined;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part !== undefined && isReadable(part) && part.type === "compaction") return part;
  }
  return undefined;
}

/** Whether it is the reply of a summary call, complete or not. */
export function isSummary(entry: WithParts): entry is WithParts<AssistantMessage> {
  return entry.info.role === "assistant" && entry.info.summary === true;
}

/** Whether it is a summary that may stand for what it summarises: it came to its end, without an error, and says something. */
export function isCompleteSummary(entry: WithParts): entry is WithParts<AssistantMessage> {
  if (!isSummary(entry) || entry.info.error !== undefined || !cameToEnd(entry.info)) return false;
  return entry.parts.some((part) => isReadable(part) && part.type === "text" && part.synthetic !== true && part.ignored !== true && hasText(part.text));
}

function hasText(text: unknown): boolean {
  return typeof text === "string" && text.trim() !== "";
}

/** Whether it is a prompt in the transcript: no compaction message, and neither waiting nor cancelled. */
export function isPrompt(entry: WithParts): entry is WithParts<UserMessage> {
  return entry.info.role === "user" && entry.info.state === undefined && compactionOf(entry) === undefined;
}

/** Whether it is a prompt that the model still owes an answer. */
export function isUnanswered(entry: WithParts): entry is WithParts<UserMessage> {
  return isPrompt(entry) && entry.info.outcome === undefined;
}

/** What a visible window begins with when something was compacted. */
export interface Boundary {
  part: CompactionPart;
  /** Place of the compaction message in the transcript: newer messages have a greater one. */
  position: number | undefined;
  /** How many messages of the window stand for what is not shown: the compaction message, its summary, the kept prompts. */
  length: number;
}

/** Length of the pair that a compaction leaves: its message and the summary. */
export const pairLength = 2;

/** The boundary that a window, as `filterCompacted` gives it, begins with. */
export function boundaryOf(window: readonly WithParts[]): Boundary | undefined {
  const [first, second] = window;
  const part = first === undefined ? undefined : compactionOf(first);
  if (first === undefined || part === undefined || second === undefined || !isSummary(second)) return undefined;
  const kept = new Set(keptOf(part));
  // A kept id that is part of the tail, too, ends the run: what follows the tail's start is the tail.
  let length = pairLength;
  for (let id = window[length]?.info.id; id !== undefined && kept.has(id) && id !== part.tail_start_id; id = window[length]?.info.id) length += 1;
  return { part, position: first.info.position, length };
}

/** The prompts that a compaction keeps. Stored rows can be damaged: anything but a list counts as none. */
export function keptOf(part: CompactionPart): readonly string[] {
  return Array.isArray(part.kept) ? part.kept : [];
}
