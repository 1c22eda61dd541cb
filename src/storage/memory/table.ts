import type { Change } from "../storage.ts";
import type { ChangeLog, LoggedTable } from "./change-log.ts";

/**
 * Rows by key, in order of their creation. Writes are staged: they show in `get` at once, and become facts with
 * `commit`, or are forgotten with `rollback`. So a batch whose last guard fails leaves no trace of its first writes.
 */
export class Table<T> implements LoggedTable {
  readonly #entries = new Map<string, Entry<T>>();
  /** `undefined` for a row that is to be deleted. */
  #staged: Map<string, T | undefined> | undefined;
  #created = 0;
  readonly #toChange: (entry: Entry<T>) => Change | undefined;
  readonly #onForget: ((key: string) => void) | undefined;
  readonly #thaw: ((key: string) => Entry<T> | undefined) | undefined;

  /**
   * @param toChange how a row shows in the change feed
   * @param onForget hears of tombstones that are dropped
   * @param thaw brings a row that is kept elsewhere back with `restore`
   */
  constructor(toChange: (entry: Entry<T>) => Change | undefined, onForget?: (key: string) => void, thaw?: (key: string) => Entry<T> | undefined) {
    this.#toChange = toChange;
    this.#onForget = onForget;
    this.#thaw = thaw;
  }

  /** The row as the running batch sees it. */
  get(key: string): T | undefined {
    return this.isStaged(key) ? this.#staged?.get(key) : this.entry(key)?.row;
  }

  /** Whether the running batch has written to the row. */
  isStaged(key: string): boolean {
    return this.#staged?.has(key) === true;
  }

  /** Whether there is, or was, such a row. */
  isKnown(key: string): boolean {
    return this.isStaged(key) || this.entry(key) !== undefined;
  }

  put(key: string, row: T): void {
    this.#stage(key, row);
  }

  delete(key: string): void {
    if (this.get(key) !== undefined) this.#stage(key, undefined);
  }

  deleteAll(): void {
    for (const key of [...this.#entries.keys(), ...(this.#staged?.keys() ?? [])]) this.delete(key);
  }

  /** The rows as the running batch sees them, oldest first. */
  *rows(): Generator<T> {
    for (const { key, row } of this.#entries.values()) {
      const seen = row === undefined || this.#staged === undefined ? row : this.get(key);
      if (seen !== undefined) yield seen;
    }
    if (this.#staged === undefined) return;
    for (const [key, row] of this.#staged) if (row !== undefined && this.#entries.get(key)?.row === undefined) yield row;
  }

  /** The committed rows and the tombstones, oldest first. */
  entries(): Iterable<Entry<T>> {
    return this.#entries.values();
  }

  /** The committed row or tombstone. */
  entry(key: string): Entry<T> | undefined {
    return this.#entries.get(key) ?? this.#thaw?.(key);
  }

  /** Takes over a row or tombstone as it was kept elsewhere. Nothing is logged. */
  restore(entry: Entry<T>): void {
    this.#entries.set(entry.key, entry);
    this.#created = Math.max(this.#created, entry.position);
  }

  /** The rows that the running batch has put. */
  *stagedRows(): Generator<T> {
    for (const row of this.#staged?.values() ?? []) if (row !== undefined) yield row;
  }

  /** Makes the staged writes facts, stamps them with `seq`, and logs each. */
  commit(seq: number, log: ChangeLog, onChange?: (entry: Entry<T>, previous: T | undefined) => void): void {
    const staged = this.#staged;
    if (staged === undefined) return;
    this.#staged = undefined;
    // Not for…of: it makes a pair for each row, and this runs for every commit.
    staged.forEach((row, key) => {
      const entry = this.entry(key) ?? { key, row: undefined, seq: 0, position: 0 };
      const previous = entry.row;
      // Also a row that was made and deleted within one batch, which is known from then on.
      if (previous === undefined) this.#append(entry);
      entry.row = row;
      entry.seq = seq;
      onChange?.(entry, previous);
      log.record({ seq, subject: entry, table: this });
    });
  }

  rollback(): void {
    this.#staged = undefined;
  }

  changeOf(entry: Entry<T>): Change | undefined {
    return this.#toChange(entry);
  }

  /** Drops a tombstone. */
  forget(key: string): void {
    this.#entries.delete(key);
    this.#onForget?.(key);
  }

  #stage(key: string, row: T | undefined): void {
    this.#staged ??= new Map();
    this.#staged.set(key, row);
  }

  /** A row that comes back after its deletion is a new one, and stands behind those that stayed. */
  #append(entry: Entry<T>): void {
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
    this.#created += 1;
    entry.position = this.#created;
  }
}

/** A stored row, or the tombstone of one. */
export interface Entry<T> {
  readonly key: string;
  /** Absent in a tombstone. */
  row: T | undefined;
  /** The session's `seq` when it was last written. */
  seq: number;
  /** Place in order of creation. */
  position: number;
}
