import type { Connection, SqlRow, SqlValue } from "./connection.ts";
import { decodeJson, decodeText } from "./row-json.ts";

/** Many rows of one table, taken apart: an object for each row would be garbage. */
export interface BulkRows {
  /** The columns of all rows, one row after another: numbers first, then texts. A text that cannot be read is `undefined`. */
  readonly columns: readonly unknown[];
  /** What the JSON of each row says, `undefined` where it cannot be read. */
  readonly data: readonly unknown[];
}

/** Which rows, and what of them. */
export interface BulkQuery {
  /** SQL for numbers. */
  numbers: readonly string[];
  /** SQL for texts. */
  texts: readonly string[];
  /** SQL for the column that holds JSON. */
  data: string;
  /** What follows: FROM and WHERE. */
  from: string;
}

/**
 * Selects many rows as two texts, and parses each as a whole: a driver takes longer to hand over one column of a row than
 * SQLite and V8 for all that is in it. Where that does not come to the rows that were counted (one is damaged, or they are
 * more than a text can hold), they are read one by one.
 */
export function selectBulk(connection: Connection, query: BulkQuery, values: readonly SqlValue[]): BulkRows {
  return selectAtOnce(connection, query, values) ?? selectOneByOne(connection, query, values);
}

function selectAtOnce(connection: Connection, { numbers, texts, data, from }: BulkQuery, values: readonly SqlValue[]): BulkRows | undefined {
  const columns = [...numbers, ...texts.map((text) => `json_quote(${text})`)];
  const sql = `SELECT count(*) AS count, ${arrayOf(columns.join(" || ',' || "))} AS columns, ${arrayOf(data)} AS data ${from}`;
  try {
    const [count, columnsJson, dataJson] = connection.first(sql, values) ?? [];
    const rows: BulkRows = { columns: listIn(columnsJson), data: listIn(dataJson) };
    return rows.data.length === count && rows.columns.length === count * columns.length ? rows : undefined;
  } catch {
    // Whatever it was, it shows again when they are read one by one, or was about all of them at once.
    return undefined;
  }
}

function arrayOf(items: string): string {
  return `CAST('[' || group_concat(${items}) || ']' AS BLOB)`;
}

/** Of no rows SQLite makes NULL. */
function listIn(json: unknown): unknown[] {
  const value = json === null ? [] : decodeJson(json);
  return Array.isArray(value) ? value : [];
}

function selectOneByOne(connection: Connection, { numbers, texts, data, from }: BulkQuery, values: readonly SqlValue[]): BulkRows {
  const selected = [...numbers, ...[...texts, data].map((text) => `CAST(${text} AS BLOB)`)].map((column, index) => `${column} AS column${index}`);
  const rows = connection.rows(`SELECT ${selected.join(", ")} ${from}`, values);
  const columnsOf = (row: SqlRow): unknown[] => row.slice(0, -1).map((column, index) => (index < numbers.length ? column : decodeText(column)));
  return { columns: rows.flatMap(columnsOf), data: rows.map((row) => decodeJson(row.at(-1))) };
}
