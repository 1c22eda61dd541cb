import type { Change, ChangePage } from "../storage.ts";

/** Something that the log can point at: a row or a tombstone. */
export interface Loggable {
  /** Its newest stamp. */
  readonly seq: number;
  readonly key: string;
  /** Absent in a tombstone. */
  readonly row: unknown;
}

/** Where the log's rows are kept. */
export interface LoggedTable {
  /** `undefined` for rows that the change feed does not show. */
  changeOf(subject: Loggable): Change | undefined;
  /** Drops a tombstone. */
  forget(key: string): void;
}

export interface LogItem {
  readonly seq: number;
  readonly subject: Loggable;
  readonly table: LoggedTable;
}

/** Enough for a client that was away during a long turn; every dropped attempt leaves some. */
const tombstonesKept = 1000;

/**
 * Which rows of a session were written, oldest stamp first. A row that is written again leaves its old item behind,
 * which no longer counts; those are swept out once they are the majority, so that a commit stays cheap and the log grows
 * with the rows, not with the commits.
 */
export class ChangeLog {
  #items: LogItem[] = [];
  #sweepAt = 1000;
  #floor: number;

  constructor(floor: number) {
    this.#floor = floor;
  }

  /** Tombstones up to this stamp may be missing. */
  get floor(): number {
    return this.#floor;
  }

  /** Takes over what a log that was kept elsewhere pointed at. */
  restore(items: readonly LogItem[], floor = this.#floor): void {
    this.#items = [...items, ...this.#items].sort((a, b) => a.seq - b.seq);
    this.#floor = floor;
  }

  record(item: LogItem): void {
    this.#items.push(item);
  }

  /** Only between two commits, when all the items of one stamp are there. */
  sweepIfDue(): void {
    if (this.#items.length < this.#sweepAt) return;
    this.#items = this.#items.filter(isCurrent);
    this.#dropOldTombstones();
    this.#sweepAt = Math.max(1000, this.#items.length * 2);
  }

  read(sessionSeq: number, after: number, limit: number): ChangePage {
    if (after > sessionSeq || (after < this.#floor && after !== 0)) return { changes: [], seq: sessionSeq, more: false, reset: true };
    const changes: Change[] = [];
    for (let index = this.#firstAfter(after); index < this.#items.length; index += 1) {
      const item = this.#items[index];
      if (item === undefined || !isCurrent(item)) continue;
      const lastSeq = changes.at(-1)?.seq;
      if (lastSeq !== undefined && changes.length >= limit && item.seq !== lastSeq) return { changes, seq: lastSeq, more: true };
      const change = item.table.changeOf(item.subject);
      if (change !== undefined) changes.push(change);
    }
    return { changes, seq: sessionSeq, more: false };
  }

  #firstAfter(seq: number): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle]?.seq ?? Infinity) > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Whole stamps only: a client that knows a stamp can rely on all the tombstones after it. */
  #dropOldTombstones(): void {
    const tombstones = this.#items.filter((item) => item.subject.row === undefined);
    const newestDropped = tombstones.at(-1 - tombstonesKept);
    if (newestDropped === undefined) return;
    this.#floor = newestDropped.seq;
    this.#items = this.#items.filter((item) => {
      const dropped = item.subject.row === undefined && item.seq <= this.#floor;
      if (dropped) item.table.forget(item.subject.key);
      return !dropped;
    });
  }
}

function isCurrent(item: LogItem): boolean {
  return item.subject.seq === item.seq;
}
