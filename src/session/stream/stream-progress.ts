import type { SessionEvent, SessionEventType } from "../events.ts";
import type { LiveQueue } from "./live-queue.ts";
import type { StateTransfer } from "./state-transfer.ts";
import { readCursor, writeCursor, type StreamHistory } from "./stream-cursor.ts";

/** Events that say what a row is now: after a state transfer they are no news. */
const rowEvents: Partial<Record<SessionEventType, true>> = {
  "session.created": true,
  "session.updated": true,
  "message.updated": true,
  "message.removed": true,
  "part.updated": true,
  "part.removed": true,
  "ask.created": true,
  "ask.replied": true,
  "ask.closed": true,
};

/** How far the reader of a stream has come: which commits it knows, and which live events it therefore need not get. */
export class StreamProgress {
  readonly #queue: LiveQueue;
  #history: StreamHistory;
  /** The reader has, or has in its queue, all rows up to this `seq`. */
  covered = 0;
  /** The reader has all rows and texts up to this `seq`. */
  #given = 0;
  /** The rows of these commits came as a state: those after `from`, up to `to`. */
  #transferred = { from: 0, to: 0 };
  /** The commit of the newest live event, and how many more events of it wait. */
  #commit = { seq: -1, waiting: 0 };

  constructor(queue: LiveQueue, history: StreamHistory) {
    this.#queue = queue;
    this.#history = history;
  }

  /** Up to where the reader has everything. */
  get given(): number {
    return this.#given;
  }

  /** A cursor for who has everything up to `given`. */
  get cursor(): string {
    return writeCursor(this.#history, this.#given);
  }

  /** The `seq` that a caller's `after` means; `undefined` when that is unknown here. */
  seqOf(after: string | number): number | undefined {
    return typeof after === "number" ? after : readCursor(this.#history, after);
  }

  begin(given: number, covered = given): void {
    this.#given = given;
    this.covered = covered;
  }

  /** The queue was dropped: what was in it is not covered any more. */
  fallBack(): void {
    this.covered = this.#given;
    this.#commit = { seq: -1, waiting: 0 };
  }

  /**
   * The next live event. A commit counts as given only with its last event, or else who goes on from an event in the midst
   * of it would miss the others. False when the reader knows it already.
   */
  take({ type, seq }: SessionEvent): boolean {
    if (this.#commit.seq === seq) this.#commit.waiting -= 1;
    else this.#commit = { seq, waiting: this.#queue.countOf(seq) };
    this.covered = Math.max(this.covered, seq);
    if (this.#commit.waiting <= 0) this.#given = Math.max(this.#given, seq);
    const { from, to } = this.#transferred;
    return !(rowEvents[type] === true && seq > from && seq <= to);
  }

  /**
   * A state was read.
   *
   * @returns the cursor of its items but the last: who leaves among them gets all of them again
   */
  transfer({ seq, reset, session }: StateTransfer, after: number | undefined): string {
    if (reset && session !== undefined) this.#history = { sessionID: session.id, created: session.time.created };
    const from = reset ? -1 : (after ?? -1);
    const isWhole = from <= 0;
    const cursor = writeCursor(this.#history, isWhole ? undefined : this.#given);
    this.#transferred = { from: from === this.#transferred.to ? this.#transferred.from : from, to: seq };
    this.#given = this.covered = seq;
    return cursor;
  }
}
