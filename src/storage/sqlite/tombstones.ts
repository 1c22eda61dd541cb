import type { Connection } from "./connection.ts";

export type TombstoneKind = "message" | "part" | "ask" | "abort";

/** Enough for a client that was away during a long turn; every dropped attempt leaves some. */
const tombstonesKept = 1000;

/** The tombstones of one session, while a batch is applied to it. */
export class Tombstones {
  /** How many there are. */
  count: number;
  /** Those up to this seq may be missing. */
  floor: number;
  readonly #connection: Connection;
  readonly #session: number;
  /** The seq of the batch. */
  readonly #seq: number;

  constructor(connection: Connection, session: { key: number; tombstones: number; floor: number }, seq: number) {
    this.#connection = connection;
    this.#session = session.key;
    this.#seq = seq;
    this.count = session.tombstones;
    this.floor = session.floor;
  }

  add(kind: TombstoneKind, row: { messageID: string; id: string; position?: number | undefined }): void {
    this.count += this.#connection.run(
      `INSERT INTO tombstone (session, kind, message, id, seq, position) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (session, kind, message, id) DO UPDATE SET seq = excluded.seq`,
      [this.#session, kind, row.messageID, row.id, this.#seq, row.position ?? null],
    );
  }

  /** All parts of a message go. */
  addParts(messageID: string, messageKey: number): void {
    this.count += this.#connection.run(
      `INSERT INTO tombstone (session, kind, message, id, seq) SELECT ?, 'part', ?, id, ? FROM part WHERE message = ?
       ON CONFLICT (session, kind, message, id) DO UPDATE SET seq = excluded.seq`,
      [this.#session, messageID, this.#seq, messageKey],
    );
  }

  /** A row is there again. */
  remove(kind: TombstoneKind, messageID: string, id: string): void {
    if (this.count === 0) return;
    this.count -= this.#connection.run("DELETE FROM tombstone WHERE session = ? AND kind = ? AND message = ? AND id = ?", [
      this.#session,
      kind,
      messageID,
      id,
    ]);
  }

  has(kind: TombstoneKind, id: string): boolean {
    if (this.count === 0) return false;
    const sql = "SELECT 1 FROM tombstone WHERE session = ? AND kind = ? AND message = '' AND id = ?";
    return this.#connection.first(sql, [this.#session, kind, id]) !== undefined;
  }

  /** Drops the oldest when there are many. Whole stamps only: a client that knows one can rely on all that come after it. */
  prune(): void {
    if (this.count < tombstonesKept * 2) return;
    const newest = this.#connection.first("SELECT seq FROM tombstone WHERE session = ? ORDER BY seq DESC LIMIT 1 OFFSET ?", [this.#session, tombstonesKept]);
    if (newest === undefined) return;
    this.floor = Number(newest[0]);
    this.count -= this.#connection.run("DELETE FROM tombstone WHERE session = ? AND seq <= ?", [this.#session, this.floor]);
  }
}
