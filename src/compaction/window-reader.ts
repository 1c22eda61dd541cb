import { InvalidArgumentError } from "../errors.ts";
import type { WithParts } from "../message/message.ts";
import type { CompactionPart } from "../message/part.ts";
import { compactionOf, isCompleteSummary, isSummary, keptOf } from "./compaction-message.ts";

/**
 * Finds the visible window while a transcript is read, newest message first: what `filterCompacted` does, for who reads page by
 * page. An await for each message would cost more than all the rest.
 */
export class WindowReader {
  readonly #newer: WithParts[] = [];
  readonly #older: WithParts[] = [];
  readonly #summaries = new Map<string, WithParts>();
  #boundary: ReadBoundary | undefined;

  /**
   * Takes the next message, newest first. Returns whether all of the window has been seen.
   *
   * @throws {InvalidArgumentError} it is no stored message
   */
  add(entry: WithParts): boolean {
    checkMessage(entry, this.#newer.length + this.#older.length);
    const boundary = this.#boundary;
    if (boundary !== undefined) {
      this.#older.push(entry);
      boundary.missing.delete(entry.info.id);
      return boundary.missing.size === 0;
    }
    this.#boundary = readBoundary(entry, this.#summaries, this.#newer);
    if (this.#boundary !== undefined) return this.#boundary.missing.size === 0;
    this.#newer.push(entry);
    return false;
  }

  /** The window, oldest message first. */
  window(): WithParts[] {
    const visible = this.#newer.filter(isOrdinary).reverse();
    const boundary = this.#boundary;
    return boundary === undefined ? visible : [boundary.message, boundary.summary, ...behind(boundary, this.#older), ...visible];
  }
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
  // Of nearly all messages nothing more is to be known.
  if (summaries.size === 0) return undefined;
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
