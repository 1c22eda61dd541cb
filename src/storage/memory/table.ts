/**
 * Rows by key, in order of their creation. Writes are staged: they show in `get` at once, and become facts with
 * `commit`, or are forgotten with `rollback`. So a batch whose last guard fails leaves no trace of its first writes.
 */
export class Table<T> {
  readonly #entries = new Map<string, Entry<T>>();
  /** `undefined` for a row that is to be deleted. */
  #staged: Map<string, T | undefined> | undefined;
  #created = 0;

  /** The row as the running batch sees it. */
  get(key: string): T | undefined {
    return this.isStaged(key) ? this.#staged?.get(key) : this.#entries.get(key)?.row;
  }

  /** Whether the running batch has written to the row. */
  isStaged(key: string): boolean {
    return this.#staged?.has(key) === true;
  }

  /** Whether there is, or was, such a row. */
  isKnown(key: string): boolean {
    return this.isStaged(key) || this.#entries.has(key);
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

  /** The committed rows, oldest first. */
  *rows(): Generator<T> {
    for (const { row } of this.#entries.values()) if (row !== undefined) yield row;
  }

  /** The rows that the running batch has put. */
  *stagedRows(): Generator<T> {
    for (const row of this.#staged?.values() ?? []) if (row !== undefined) yield row;
  }

  /** Makes the staged writes facts, stamps them with `seq`, and tells of each. */
  commit(seq: number, onChange: (entry: Entry<T>, previous: T | undefined) => void): void {
    const staged = this.#staged;
    if (staged === undefined) return;
    this.#staged = undefined;
    for (const [key, row] of staged) {
      const entry = this.#entries.get(key) ?? { key, row: undefined, seq: 0, position: 0 };
      const previous = entry.row;
      // Also a row that was made and deleted within one batch, which is known from then on.
      if (previous === undefined) this.#append(entry);
      entry.row = row;
      entry.seq = seq;
      onChange(entry, previous);
    }
  }

  rollback(): void {
    this.#staged = undefined;
  }

  /** Drops a tombstone. */
  forget(key: string): void {
    this.#entries.delete(key);
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
