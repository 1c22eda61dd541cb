import type { Clock } from "../../util/clock.ts";

interface WatchedSession {
  watchers: number;
  /** The newest seq that its watchers were told of. */
  seq: number;
}

/** Looks for the commits of other connections, as long as somebody watches: SQLite tells nobody of them. */
export class ForeignCommits {
  readonly #clock: Clock;
  readonly #pollMs: number;
  readonly #seqOf: (sessionID: string) => number;
  readonly #notify: (sessionID: string) => void;
  readonly #watched = new Map<string, WatchedSession>();
  #timer: unknown;

  /**
   * @param options.seqOf reads a session's seq; it may throw, and is asked again later then
   * @param options.notify is called for a session that has changed
   */
  constructor(options: { clock: Clock; pollMs: number; seqOf: (sessionID: string) => number; notify: (sessionID: string) => void }) {
    this.#clock = options.clock;
    this.#pollMs = options.pollMs;
    this.#seqOf = options.seqOf;
    this.#notify = options.notify;
  }

  /** Returns the way to stop. */
  watch(sessionID: string): () => void {
    const watched = this.#watched.get(sessionID) ?? { watchers: 0, seq: this.#seqOf(sessionID) };
    watched.watchers += 1;
    this.#watched.set(sessionID, watched);
    this.#timer ??= this.#next();
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      watched.watchers -= 1;
      if (watched.watchers === 0 && this.#watched.get(sessionID) === watched) this.#watched.delete(sessionID);
      if (this.#watched.size === 0) this.stop();
    };
  }

  /** An own commit, which watchers were told of at once. */
  note(sessionID: string, seq: number): void {
    const watched = this.#watched.get(sessionID);
    if (watched !== undefined) watched.seq = Math.max(watched.seq, seq);
  }

  stop(): void {
    this.#watched.clear();
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #next(): unknown {
    return this.#clock.setTimeout(() => this.#poll(), this.#pollMs);
  }

  #poll(): void {
    // First: a listener may stop the last watch, and start another.
    this.#timer = this.#next();
    for (const [sessionID, watched] of [...this.#watched]) {
      const seq = this.#seq(sessionID) ?? watched.seq;
      if (seq === watched.seq) continue;
      watched.seq = seq;
      this.#notify(sessionID);
    }
  }

  #seq(sessionID: string): number | undefined {
    try {
      return this.#seqOf(sessionID);
    } catch {
      // Locked: the next look will tell.
      return undefined;
    }
  }
}
