import type { Connection, SqlRow, SqlValue } from "./connection.ts";
import { decodeText } from "./row-json.ts";

/** Control characters, which JSON escapes. */
const fieldEnd = "\u001f";
const lineEnd = "\n";

/** The same rows in two forms, with the same columns in the same order. */
export interface LineQuery {
  /** Columns, for rows. */
  columns: string;
  /** The same columns as one text for each row: see {@link lineOf}. */
  line: string;
  /** What follows: FROM, WHERE, ORDER BY, LIMIT. */
  from: string;
}

/** The SQL for a row as one text. */
export function lineOf(...columns: readonly string[]): string {
  return columns.join(" || char(31) || ");
}

/**
 * Selects many rows as one text: a driver takes longer to hand over a column of a row than SQLite and V8 for all that is
 * in it. Columns are texts then. Where that text is not what the rows should give (a damaged row, an id with a control
 * character), they are read one by one.
 */
export function selectLines(connection: Connection, { columns, line, from }: LineQuery, values: readonly SqlValue[]): SqlRow[] {
  const sql = `SELECT count(*) AS count, CAST(group_concat(line, char(10)) AS BLOB) AS lines FROM (SELECT ${line} AS line ${from})`;
  const [count, lines] = connection.first(sql, values) ?? [];
  if (count === 0) return [];
  return splitLines(decodeText(lines), Number(count), line.split("char(31)").length) ?? connection.rows(`SELECT ${columns} ${from}`, values);
}

function splitLines(text: string | undefined, count: number, width: number): SqlRow[] | undefined {
  const rows = text?.split(lineEnd).map((line) => line.split(fieldEnd));
  return rows?.length === count && rows.every((row) => row.length === width) ? rows : undefined;
}
