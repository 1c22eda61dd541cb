import { isObject, type StoredRow } from "../row-shape.ts";

/** Fields that a table has columns for: they are not in the row's JSON. */
export type ColumnFields = Readonly<Record<string, true>>;

/** A row's JSON without those fields. */
export function encodeRow(row: object, columns: ColumnFields): string {
  // A copy and one call: JSON that is put together field by field takes twice the time, and so does a list of the fields.
  const rest: Record<string, unknown> = {};
  for (const field in row) if (columns[field] !== true) rest[field] = (row as Record<string, unknown>)[field];
  return JSON.stringify(rest);
}

/** The object in a row's JSON; `undefined` for a damaged one. */
export function decodeRow(data: unknown): StoredRow | undefined {
  const value = decodeJson(data);
  return isObject(value) ? value : undefined;
}

/** Text that may hold anything, as JSON: drivers stop at a NUL and replace half a surrogate pair. */
export function encodeString(text: string): string {
  return JSON.stringify(text);
}

/** The text of {@link encodeString}; `undefined` for damaged text. */
export function decodeString(text: unknown): string | undefined {
  const value = decodeJson(text);
  return typeof value === "string" ? value : undefined;
}

/** JSON in a column that is read as bytes; `undefined` for damaged text. */
export function decodeJson(data: unknown): unknown {
  const json = decodeText(data);
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Text of a column that is read as bytes: a driver may replace what is no UTF-8, and `libsql` takes the whole process
 * down. `undefined` for damaged text.
 */
export function decodeText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!(value instanceof Uint8Array)) return undefined;
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8");
  // Only what holds the character that stands for bad bytes needs the slow look.
  return text.includes("\uFFFD") && !isWellFormed(value) ? undefined : text;
}

function isWellFormed(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
