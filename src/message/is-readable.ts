import type { Part } from "./part.ts";

/**
 * Whether a stored part has what reading it needs. A damaged row is left out, which never breaks a request: a call goes
 * together with its result.
 */
export function isReadable(part: Part): boolean {
  // Rows come from stores and other programs: the type says what they should be.
  const row: unknown = part;
  if (!isObject(row) || typeof row["type"] !== "string") return false;
  return row["type"] !== "tool" || isReadableState(row["state"]);
}

function isReadableState(state: unknown): boolean {
  if (!isObject(state)) return false;
  const isSettled = state["status"] === "completed" || state["status"] === "error";
  return !isSettled || isObject(state["time"]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
