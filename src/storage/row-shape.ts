import type { Ask } from "../message/ask.ts";
import { isReadable } from "../message/is-readable.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { SessionInfo } from "../message/session-info.ts";
import type { AbortRequest, Artifact } from "./storage.ts";

/**
 * A row as its JSON says it. The checks tell whether it has what reading it needs. By hand: a schema would cost a cold open of many rows more than all
 * the rest. A row that fails is damaged, and set aside.
 */
export type StoredRow = Record<string, unknown>;

export function isMessage(row: StoredRow): row is StoredRow & Message {
  if (!isObject(row["time"])) return false;
  if (row["role"] === "user") return isObject(row["model"]);
  return row["role"] === "assistant" && typeof row["parentID"] === "string" && isObject(row["tokens"]);
}

export function isPart(row: StoredRow): row is StoredRow & Part {
  const { type } = row;
  if (type === "text" || type === "reasoning") return typeof row["text"] === "string";
  if (type === "tool" && (typeof row["callID"] !== "string" || typeof row["tool"] !== "string")) return false;
  // The check is of what comes from stores: it takes the type for a claim.
  return isReadable(row as unknown as Part);
}

export function isAsk(row: StoredRow): row is StoredRow & Ask {
  return typeof row["status"] === "string" && Array.isArray(row["patterns"]) && isObject(row["time"]);
}

export function isAbort(row: StoredRow): row is StoredRow & AbortRequest {
  return row["queue"] === "keep" || row["queue"] === "cancel";
}

export function isArtifact(row: StoredRow): row is StoredRow & Omit<Artifact, "text"> {
  return typeof row["mime"] === "string" && isObject(row["time"]);
}

export function isSession(row: StoredRow): row is StoredRow & SessionInfo {
  return (
    typeof row["title"] === "string" &&
    typeof row["agent"] === "string" &&
    Array.isArray(row["permission"]) &&
    Array.isArray(row["todos"]) &&
    isObject(row["metadata"]) &&
    isObject(row["tokens"]) &&
    isObject(row["time"])
  );
}

export function isObject(value: unknown): value is StoredRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
