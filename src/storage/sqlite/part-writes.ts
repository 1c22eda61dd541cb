import type { Connection, SqlValue } from "./connection.ts";

/** So many rows go into one statement at most. */
const mostRows = 8;

const columnCount = 5;

/** The statements for one row, for two rows, and so on. */
const statements: readonly string[] = Array.from(
  { length: mostRows },
  (_, index) => `INSERT INTO part (message, id, stamp, length, pieces, data) VALUES ${Array.from({ length: index + 1 }, () => "(?, ?, ?, ?, 0, ?)").join(", ")}
    ON CONFLICT (message, id) DO UPDATE SET stamp = excluded.stamp, length = excluded.length, data = excluded.data WHERE pieces = 0`,
);

/**
 * The parts that a batch has put and not written yet. They are collected, because handing a statement over to the driver
 * costs more than what SQLite then does for a row. Whoever reads parts writes them first.
 */
export class PartWrites {
  readonly #connection: Connection;
  readonly #seq: number;
  /** The columns of all rows, one after another. */
  #values: SqlValue[] = [];

  /** @param seq the batch's stamp */
  constructor(connection: Connection, seq: number) {
    this.#connection = connection;
    this.#seq = seq;
  }

  add(message: number, id: string, length: number | null, data: string): void {
    this.#values.push(message, id, this.#seq, length, data);
    if (this.#values.length === mostRows * columnCount) this.flush();
  }

  flush(): void {
    const values = this.#values;
    const count = values.length / columnCount;
    const sql = statements[count - 1];
    if (sql === undefined) return;
    this.#values = [];
    if (this.#connection.run(sql, values) === count) return;
    for (let start = 0; start < values.length; start += columnCount) this.#writeWhole(values.slice(start, start + columnCount));
  }

  /** The row may have a text in pieces, which the new one takes the place of. */
  #writeWhole(row: readonly SqlValue[]): void {
    const [message = null, id = null, stamp = null, length = null, data = null] = row;
    // First the pieces go: the whole text takes their pages.
    this.#connection.run("DELETE FROM part_piece WHERE part = (SELECT key FROM part WHERE message = ? AND id = ?)", [message, id]);
    this.#connection.run("UPDATE part SET stamp = ?, length = ?, pieces = 0, data = ? WHERE message = ? AND id = ?", [stamp, length, data, message, id]);
  }
}
