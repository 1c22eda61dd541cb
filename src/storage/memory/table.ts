/**
 * Rows by key, in order of their creation. Writes are staged: they show in `get` at once, and become facts with
 * `commit`, or are forgotten with `rollback`. So a batch whose last guard fails leaves no trace of its first writes.
 */
export class Table<T> {
  readonly #entries = new Map<string, Entry<T>>();
  #staged: Map<string, Staged<T>> | undefined;
  #created = 0;

  /** The row as the running batch sees it. */
  get(key: string): T | undefined {
    const staged = this.#staged?.get(key);
    return staged === undefined ? this.#entries.get(key)?.row : staged.row;
  }

  /** Whether there is, or was, such a row. */
  isKnown(key: string): boolean {
    return this.#staged?.has(key) === true || this.#entries.has(key);
  }

  put(key: string, row: T): void {
    const isNew = this.get(key) === undefined;
    this.#stage(key, { row, isNew: isNew || this.#staged?.get(key)?.isNew === true });
  }

  delete(key: string): void {
    if (this.get(key) !== undefined) this.#stage(key, { row: undefined, isNew: false });
  }

  deleteAll(): void {
    for (const key of new Set([...this.#entries.keys(), ...(this.#staged?.keys() ?? [])])) this.delete(key);
  }

  /** The committed rows, oldest first. */
  *rows(): Generator<T> {
    for (const { row } of this.#entries.values()) if (row !== undefined) yield row;
  }

  /** The rows that the running batch has written so far. */
  *stagedRows(): Generator<T> {
    for (const { row } of this.#staged?.values() ?? []) if (row !== undefined) yield row;
  }

  isStaged(key: string): boolean {
    return this.#staged?.has(key) === true;
  }

  /** Makes the staged writes facts, stamps them with `seq`, and tells of each. */
  commit(seq: number, onChange: (entry: Entry<T>, previous: T | undefined) => void): void {
    const staged = this.#staged;
    if (staged === undefined) return;
    this.#staged = undefined;
    for (const [key, { row, isNew }] of staged) {
      const entry = this.#entries.get(key) ?? { key, row: undefined, seq: 0, position: 0 };
      // Made and deleted within one batch: nobody has ever seen it, so it needs no tombstone.
      if (row === undefined && entry.seq === 0) continue;
      if (isNew) this.#moveToEnd(entry);
      const previous = entry.row;
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

  #stage(key: string, staged: Staged<T>): void {
    this.#staged ??= new Map();
    this.#staged.set(key, staged);
  }

  /** A row that comes back after its deletion is a new one, and stands behind those that stayed. */
  #moveToEnd(entry: Entry<T>): void {
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
  /** Grows with every row that is created in its table. */
  position: number;
}

interface Staged<T> {
  row: T | undefined;
  isNew: boolean;
}
