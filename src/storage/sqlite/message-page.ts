import { InvalidArgumentError, SessionNotFoundError } from "../../errors.ts";
import type { UserMessage, WithParts } from "../../message/message.ts";
import { pageLimit } from "../page-limit.ts";
import type { Page } from "../storage.ts";
import type { SqlValue } from "./connection.ts";
import { selectBulk, type BulkRows } from "./rows-in-bulk.ts";
import { messageAt, messageBulk, messageWidth, partAt, partBulk, partWidth, type Reader } from "./stored-rows.ts";

/** A session that is there. */
export interface PresentSession {
  key: number;
  id: string;
  rootID: string;
  seq: number;
}

/** @throws {SessionNotFoundError} */
export function presentSession({ connection }: Reader, sessionID: string): PresentSession {
  const row = connection.first("SELECT key, rootID, seq FROM session WHERE id = ? AND deleted = 0", [sessionID]);
  if (row === undefined) throw new SessionNotFoundError(sessionID);
  return { key: Number(row[0]), id: sessionID, rootID: String(row[1]), seq: Number(row[2]) };
}

/** A page of a session's transcript, newest first: one statement for its messages, and one for their parts. */
export function messagePage(reader: Reader, sessionID: string, query: { before?: string | undefined; limit?: number | undefined }): Page<WithParts> {
  const session = presentSession(reader, sessionID);
  const limit = pageLimit(query.limit, 50, "listMessages.limit");
  const before = query.before === undefined ? Infinity : positionOf(reader, session, query.before);
  const rows = messageRows(reader, "session = ? AND position < ? ORDER BY position DESC LIMIT ?", [session.key, before, limit + 1]);
  const count = Math.min(rows.data.length, limit);
  if (count === 0) return { items: [] };
  const lastColumn = (count - 1) * messageWidth;
  const parts = partRows(reader, "m.session = ? AND m.position >= ? AND m.position < ?", [session.key, Number(rows.columns[lastColumn + 1]), before]);
  const items = assemble(reader, session.id, { messages: rows, count, parts });
  const cursor = rows.data.length > limit ? rows.columns[lastColumn + 2] : undefined;
  return typeof cursor === "string" ? { items, cursor } : { items };
}

/** Queued prompts, in order of admission. */
export function queuedPrompts(reader: Reader, session: PresentSession): WithParts<UserMessage>[] {
  const rows = messageRows(reader, "session = ? AND position IS NULL AND state = 'queued' ORDER BY key", [session.key]);
  if (rows.data.length === 0) return [];
  const parts = partRows(reader, "m.session = ? AND m.position IS NULL AND m.state = 'queued'", [session.key]);
  const messages = assemble(reader, session.id, { messages: rows, count: rows.data.length, parts });
  return messages.filter((message): message is WithParts<UserMessage> => message.info.role === "user");
}

function messageRows({ connection }: Reader, condition: string, values: readonly SqlValue[]): BulkRows {
  return selectBulk(connection, { ...messageBulk, from: `FROM (SELECT key, id, position, state, data FROM message WHERE ${condition}) m` }, values);
}

/** The rows of parts, in order of creation. Looked up by key: the index of a message's parts has them in the order of their ids. */
function partRows({ connection }: Reader, condition: string, values: readonly SqlValue[]): BulkRows {
  const keys = `SELECT p.key FROM message m CROSS JOIN part p ON p.message = m.key WHERE ${condition}`;
  return selectBulk(connection, { ...partBulk, from: `FROM (SELECT key, message, pieces, id, data FROM part WHERE key IN (${keys}) ORDER BY key) p` }, values);
}

/** The rows of a page. There may be one message more than is wanted. */
interface PageRows {
  messages: BulkRows;
  count: number;
  parts: BulkRows;
}

function assemble(reader: Reader, sessionID: string, { messages, count, parts }: PageRows): WithParts[] {
  const items: WithParts[] = [];
  const byKey = new Map<unknown, WithParts>();
  for (let index = 0; index < count; index += 1) {
    const info = messageAt(reader, sessionID, messages, index);
    if (info === undefined) continue;
    const item: WithParts = { info, parts: [] };
    items.push(item);
    byKey.set(messages.columns[index * messageWidth], item);
  }
  addParts(reader, byKey, parts);
  return items;
}

function addParts(reader: Reader, byKey: ReadonlyMap<unknown, WithParts>, rows: BulkRows): void {
  let key: unknown;
  let item: WithParts | undefined;
  for (let index = 0; index < rows.data.length; index += 1) {
    const messageKey = rows.columns[index * partWidth + 1];
    // As a rule a message's parts come one after another.
    if (messageKey !== key) item = byKey.get(messageKey);
    key = messageKey;
    // The parts of a damaged message are hidden with it.
    if (item === undefined) continue;
    const part = partAt(reader, item.info, rows, index);
    if (part !== undefined) item.parts.push(part);
  }
}

/** Where a message stands, or stood before it was deleted. */
function positionOf({ connection }: Reader, session: PresentSession, messageID: string): number {
  const row =
    connection.first("SELECT position FROM message WHERE session = ? AND id = ?", [session.key, messageID]) ??
    connection.first("SELECT position FROM tombstone WHERE session = ? AND kind = 'message' AND message = '' AND id = ?", [session.key, messageID]);
  if (typeof row?.[0] === "number") return row[0];
  throw new InvalidArgumentError("listMessages.before", `message "${messageID}" was never promoted in session "${session.id}".`);
}
