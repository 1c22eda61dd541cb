import { isReadable } from "../../message/is-readable.ts";
import type { Part } from "../../message/part.ts";

/** Cheap checks of what was read: enough for nobody to stumble over a damaged record, not a validation of every field. */
export const rowChecks = {
  session: (row: JSONRow) => isObject(row["time"]) && isObject(row["tokens"]) && isObject(row["metadata"]) && Array.isArray(row["permission"]) && Array.isArray(row["todos"]),
  message: (row: JSONRow) => (row["role"] === "user" || (row["role"] === "assistant" && isObject(row["tokens"]))) && isObject(row["time"]),
  // A part's own check knows what reading it needs; the type is what it is to find out.
  part: (row: JSONRow) => isReadable(row as unknown as Part) && (!(row["type"] === "text" || row["type"] === "reasoning") || typeof row["text"] === "string"),
  ask: (row: JSONRow) => typeof row["status"] === "string" && Array.isArray(row["patterns"]) && isObject(row["input"]) && isObject(row["time"]),
  artifact: (row: JSONRow) => typeof row["mime"] === "string" && isObject(row["time"]),
  abort: (row: JSONRow) => row["queue"] === "keep" || row["queue"] === "cancel",
};

/** What a record's JSON says. */
export type JSONRow = Record<string, unknown>;

export function isObject(value: unknown): value is JSONRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
