import { StorageError, ThroughlineError } from "../../errors.ts";
import { monotonicNow } from "../../util/clock.ts";
import { nextTurn } from "../../util/next-turn.ts";
import { backoffMs } from "./backoff.ts";
import type { OpenDatabase } from "./open-database.ts";
import { asStoreError, isBusy } from "./sqlite-failure.ts";
import type { SqliteSettings } from "./sqlite-options.ts";

interface Write {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** When waiting for other connections ends, on the monotonic clock. */
  readonly deadline: number;
}

type Outcome = { write: Write; value: unknown } | { write: Write; error: unknown };

/** So many writes share a transaction at most. It takes a few milliseconds, in which nothing else runs. */
const mostWrites = 32;

/**
 * Runs writes in transactions, in the order in which they came. The first of an event-loop turn goes at once; those that
 * follow in the same turn wait for its end and share one transaction, each behind a savepoint, so that a refused one takes
 * nothing else along. Of very many some wait for the next turn. All of it is synchronous: no transaction is open across an
 * await.
 */
export class WriteQueue {
  readonly #database: OpenDatabase;
  readonly #settings: SqliteSettings;
  readonly #onCommit: () => void;
  #waiting: Write[] = [];
  /** A write went in this turn of the event loop already. */
  #hasRun = false;
  #retry: unknown;
  #attempts = 0;

  constructor(database: OpenDatabase, settings: SqliteSettings, onCommit: () => void) {
    this.#database = database;
    this.#settings = settings;
    this.#onCommit = onCommit;
  }

  /** Runs a write inside a transaction, and resolves once that is committed. */
  add<T>(run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const deadline = monotonicNow(this.#settings.clock) + this.#settings.busyMs;
      // The value that comes back is what `run` returned.
      this.#waiting.push({ run, resolve: resolve as (value: unknown) => void, reject, deadline });
      if (!this.#hasRun && this.#retry === undefined) this.#runTurn();
    });
  }

  /** Runs what waits, and refuses what cannot run now. */
  close(): void {
    this.#settings.clock.clearTimeout(this.#retry);
    this.#runSome(Infinity);
    this.#settings.clock.clearTimeout(this.#retry);
    for (const write of this.#waiting) write.reject(new StorageError("This storage was closed while another connection kept the database locked."));
    this.#waiting = [];
  }

  #runTurn(): void {
    this.#hasRun = true;
    nextTurn(() => {
      this.#hasRun = false;
      if (this.#waiting.length > 0 && this.#retry === undefined) this.#runTurn();
    });
    this.#runSome();
  }

  #runSome(most = mostWrites): void {
    this.#retry = undefined;
    const group = this.#waiting.slice(0, most);
    this.#waiting = this.#waiting.slice(most);
    if (group.length > 0) this.#runGroup(group);
  }

  #runGroup(group: readonly Write[]): void {
    let outcomes: Outcome[];
    try {
      outcomes = this.#transact(group);
    } catch (error) {
      this.#onFailure(group, error);
      return;
    }
    this.#attempts = 0;
    for (const outcome of outcomes) {
      if ("error" in outcome) outcome.write.reject(outcome.error);
      else outcome.write.resolve(outcome.value);
    }
    this.#onCommit();
  }

  #transact(group: readonly Write[]): Outcome[] {
    const { connection } = this.#database;
    connection.exec("BEGIN IMMEDIATE");
    try {
      const outcomes = group.map((write) => this.#runOne(write, group.length > 1));
      const [only] = outcomes;
      connection.exec(outcomes.length === 1 && only !== undefined && "error" in only ? "ROLLBACK" : "COMMIT");
      return outcomes;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  #runOne(write: Write, isInGroup: boolean): Outcome {
    const { connection } = this.#database;
    if (isInGroup) connection.exec("SAVEPOINT batch");
    try {
      const value = write.run();
      if (isInGroup) connection.exec("RELEASE batch");
      return { write, value };
    } catch (error) {
      // A verdict is about this write alone. What SQLite throws may have ended the transaction.
      if (!ThroughlineError.isInstance(error)) throw error;
      if (isInGroup) connection.exec("ROLLBACK TO batch; RELEASE batch");
      return { write, error };
    }
  }

  #rollback(): void {
    try {
      this.#database.connection.exec("ROLLBACK");
    } catch {
      // SQLite has ended the transaction itself.
    }
  }

  #onFailure(group: readonly Write[], error: unknown): void {
    if (isBusy(error)) this.#waitForLock(group, error);
    // One of them is the cause, and must not take the others along.
    else if (group.length > 1) for (const write of group) this.#runGroup([write]);
    else group[0]?.reject(asStoreError(error, this.#database.store));
  }

  #waitForLock(group: readonly Write[], error: unknown): void {
    const { clock, busyMs } = this.#settings;
    const now = monotonicNow(clock);
    const patient: Write[] = [];
    for (const write of group) {
      if (write.deadline > now) patient.push(write);
      else write.reject(new StorageError(`${this.#database.store} was locked by another connection for ${busyMs} ms.`, error));
    }
    this.#waiting = [...patient, ...this.#waiting];
    if (this.#waiting.length === 0 || this.#retry !== undefined) return;
    this.#attempts += 1;
    this.#retry = clock.setTimeout(() => this.#runTurn(), backoffMs(this.#attempts));
  }
}
