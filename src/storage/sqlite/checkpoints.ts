import type { Clock } from "../../util/clock.ts";
import type { OpenDatabase } from "./open-database.ts";

/** Commits go into the write-ahead log. So long after the first of them, in milliseconds, they are moved into the database. */
const delayMs = 1000;

/**
 * Keeps the write-ahead log small: SQLite alone never shortens it. While nothing is committed there is no timer.
 */
export class Checkpoints {
  readonly #database: OpenDatabase;
  readonly #clock: Clock;
  #timer: unknown;

  constructor(database: OpenDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** After a commit. */
  schedule(): void {
    if (!this.#database.isWal || this.#timer !== undefined) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.run();
    }, delayMs);
    unref(this.#timer);
  }

  /** Moves all there is, if nobody else is in the way, and shortens the log to nothing. */
  run(): void {
    if (!this.#database.isWal) return;
    try {
      this.#database.connection.rows("PRAGMA wal_checkpoint(TRUNCATE)", []);
    } catch {
      // Somebody reads or writes: the next one will do it.
    }
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** The process may end before: the log is complete without it. Only timers of Node keep it running, and can be told not to. */
function unref(timer: unknown): void {
  if (isUnrefable(timer)) timer.unref();
}

function isUnrefable(timer: unknown): timer is { unref(): unknown } {
  return typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function";
}
