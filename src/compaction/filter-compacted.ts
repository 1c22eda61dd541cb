import { InvalidArgumentError } from "../errors.ts";
import type { WithParts } from "../message/message.ts";
import type { CompactionPart } from "../message/part.ts";
import { compactionOf, isCompleteSummary, isSummary, keptOf } from "./compaction-message.ts";

/**
 * The visible window of a transcript: what a model is shown after compactions. Nothing is destroyed by a compaction, so
 * the window is derived each time, and is right by itself after a revert or a fork.
 *
 * It begins with the newest compaction whose summary is complete, and is `[compaction message, summary, ...kept prompts,
 * ...tail, ...everything newer]`. Reading stops as soon as all of that has been seen. A compaction without a complete
 * summary does not count, and neither it nor an older compaction is in the window. If the tail's first message is
 * missing, everything older counts as the tail: too much can be compacted again, what is lost cannot be brought back.
 *
 * @param newestFirst the transcript by position, newest message first, e.g. page by page from the storage
 * @returns the window, oldest message first
 * @throws {InvalidArgumentError} it yields something that is no stored message
 * @example
 * const { items } = await storage.listMessages(sessionID)
 * const messages = toModelMessages(await filterCompacted(items), model)
 */
export async function filterCompacted(newestFirst: Iterable<WithParts> | AsyncIterable<WithParts>): Promise<WithParts[]> {
  const newer: WithParts[] = [];
  const older: WithParts[] = [];
  const summaries = new Map<string, WithParts>();
  let boundary: ReadBoundary | undefined;
  for await (const entry of newestFirst) {
    checkMessage(entry, newer.length + older.length);
    if (boundary === undefined) {
      boundary = readBoundary(entry, summaries, newer);
      if (boundary === undefined) newer.push(entry);
    } else {
      older.push(entry);
      boundary.missing.delete(entry.info.id);
    }
    if (boundary?.missing.size === 0) break;
  }
  const visible = newer.filter(isOrdinary).reverse();
  return boundary === undefined ? visible : [boundary.message, boundary.summary, ...behind(boundary, older), ...visible];
}

/** The boundary that the reading has come to. */
interface ReadBoundary {
  message: WithParts;
  summary: WithParts;
  part: CompactionPart;
  /** Whether the tail's first message is to be looked for among the older messages. */
  hasTail: boolean;
  /** Ids of messages before the boundary that belong to the window and have not been read yet. */
  missing: Set<string>;
}

function readBoundary(entry: WithParts, summaries: Map<string, WithParts>, newer: readonly WithParts[]): ReadBoundary | undefined {
  if (isCompleteSummary(entry) && !summaries.has(entry.info.parentID)) summaries.set(entry.info.parentID, entry);
  const summary = summaries.get(entry.info.id);
  const part = summary === undefined ? undefined : compactionOf(entry);
  if (summary === undefined || part === undefined) return undefined;
  const missing = new Set(keptOf(part));
  if (part.tail_start_id !== undefined) missing.add(part.tail_start_id);
  for (const { info } of newer) missing.delete(info.id);
  missing.delete(entry.info.id);
  return { message: entry, summary, part, hasTail: part.tail_start_id !== undefined && missing.has(part.tail_start_id), missing };
}

/** What stays visible of the messages before the boundary, oldest first. */
function behind({ part, hasTail }: ReadBoundary, older: readonly WithParts[]): WithParts[] {
  const start = older.findIndex(({ info }) => info.id === part.tail_start_id);
  const tailLength = hasTail ? (start === -1 ? older.length : start + 1) : 0;
  const kept = new Set(keptOf(part));
  return older.filter((entry, index) => isOrdinary(entry) && (index < tailLength || kept.has(entry.info.id))).reverse();
}

/** Compactions and summaries that are not the boundary's own say nothing that the window does not. */
function isOrdinary(entry: WithParts): boolean {
  return !isSummary(entry) && compactionOf(entry) === undefined;
}

/** Damage inside of a message is put up with; what is no stored message at all would be lost in silence. */
function checkMessage(entry: Partial<WithParts> | null | undefined, index: number): void {
  if (entry?.info && Array.isArray(entry.parts)) return;
  throw new InvalidArgumentError(`newestFirst[${index}]`, "expected a stored message, { info, parts }, as storage.listMessages() gives them.");
}
