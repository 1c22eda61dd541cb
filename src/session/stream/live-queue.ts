import type { LiveSession } from "../live-session.ts";
import type { SessionEvent } from "../events.ts";

/** So many live events are kept for a reader that is slower than the session. With more it has to read the store again. */
const liveQueueLimit = 1000;

/** An event, or word that somebody else has written before the next one. */
export type LiveEntry = SessionEvent | "gap";

/** The live events of a session that its reader has not taken yet. */
export class LiveQueue {
  /** There were too many: all were dropped, and none is kept until `restart`. */
  overflowed = false;
  /** The last event of all. */
  ending: SessionEvent | undefined;
  readonly #live: LiveSession;
  readonly #wake: () => void;
  readonly #stop: () => void;
  #entries: LiveEntry[] = [];
  #foreignSeq: number;

  /** @param wake is called for each event, in the midst of the session's work */
  constructor(live: LiveSession, wake: () => void) {
    this.#live = live;
    this.#wake = wake;
    this.#foreignSeq = live.journal.foreignSeq;
    this.#stop = live.hub.on("*", (event) => {
      this.#hear(event);
    });
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  take(): LiveEntry | undefined {
    return this.#entries.shift();
  }

  /** How many of the next events are of this commit. */
  countOf(seq: number): number {
    const other = this.#entries.findIndex((entry) => entry === "gap" || entry.seq !== seq);
    return other === -1 ? this.#entries.length : other;
  }

  /** Keeps events again. Those that were dropped are in the store by now, as far as they are about rows. */
  restart(): void {
    this.#entries = [];
    this.overflowed = false;
    this.#foreignSeq = this.#live.journal.foreignSeq;
  }

  close(): void {
    this.#stop();
    this.#entries = [];
  }

  #hear(event: SessionEvent): void {
    const { info, journal } = this.#live;
    // Of a child, whose commits have numbers of their own.
    if (event.sessionID !== info.id) return;
    if (event.type === "session.closed" || event.type === "session.deleted") this.ending = event;
    else if (!this.overflowed) this.#keep(event, journal.foreignSeq);
    this.#wake();
  }

  #keep(event: SessionEvent, foreignSeq: number): void {
    if (foreignSeq > this.#foreignSeq) this.#entries.push("gap");
    this.#foreignSeq = foreignSeq;
    this.#entries.push(event);
    if (this.#entries.length <= liveQueueLimit) return;
    this.#entries = [];
    this.overflowed = true;
  }
}
