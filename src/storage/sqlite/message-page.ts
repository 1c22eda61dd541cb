import { InvalidArgumentError, SessionNotFoundError } from "../../errors.ts";
import type { Message, UserMessage, WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import { pageLimit } from "../page-limit.ts";
import type { Page } from "../storage.ts";
import type { SqlRow, SqlValue } from "./connection.ts";
import { decodeText } from "./row-json.ts";
import { selectLines } from "./rows-as-lines.ts";
import { messageColumns, messageLine, messageOf, partColumns, partLine, partOf, type Reader } from "./stored-rows.ts";

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
  const rows = messageRows(reader, "m.session = ? AND m.position < ? ORDER BY m.position DESC LIMIT ?", [session.key, before, limit + 1]);
  const isLast = rows.length <= limit;
  if (!isLast) rows.pop();
  const last = rows.at(-1);
  if (last === undefined) return { items: [] };
  const parts = partsByMessage(reader, "m.session = ? AND m.position >= ? AND m.position < ?", [session.key, Number(last[2]), before]);
  const items = assemble(reader, session.id, rows, parts);
  const cursor = isLast ? undefined : decodeText(last[1]);
  return cursor === undefined ? { items } : { items, cursor };
}

/** Queued prompts, in order of admission. */
export function queuedPrompts(reader: Reader, session: PresentSession): WithParts<UserMessage>[] {
  const condition = "m.session = ? AND m.position IS NULL AND m.state = 'queued'";
  const rows = messageRows(reader, `${condition} ORDER BY m.key`, [session.key]);
  if (rows.length === 0) return [];
  const messages = assemble(reader, session.id, rows, partsByMessage(reader, condition, [session.key]));
  return messages.filter((message): message is WithParts<UserMessage> => message.info.role === "user");
}

function messageRows({ connection }: Reader, condition: string, values: readonly SqlValue[]): SqlRow[] {
  return selectLines(connection, { columns: messageColumns, line: messageLine, from: `FROM message m WHERE ${condition}` }, values);
}

function assemble(reader: Reader, sessionID: string, rows: readonly SqlRow[], partRows: ReadonlyMap<number, SqlRow[]>): WithParts[] {
  const messages: WithParts[] = [];
  for (const row of rows) {
    const info = messageOf(reader, sessionID, row);
    if (info !== undefined) messages.push({ info, parts: partsOf(reader, info, partRows.get(Number(row[0])) ?? []) });
  }
  return messages;
}

function partsOf(reader: Reader, { id: messageID, sessionID }: Message, rows: SqlRow[]): Part[] {
  const owner = { sessionID, messageID };
  const parts: Part[] = [];
  // In order of creation: an index may give them in another.
  rows.sort((a, b) => Number(a[0]) - Number(b[0]));
  for (const row of rows) {
    const part = partOf(reader, owner, row);
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

/** The rows of parts, by the key of their message. */
function partsByMessage({ connection }: Reader, condition: string, values: readonly SqlValue[]): Map<number, SqlRow[]> {
  const from = `FROM message m JOIN part p ON p.message = m.key WHERE ${condition}`;
  const byMessage = new Map<number, SqlRow[]>();
  for (const row of selectLines(connection, { columns: `${partColumns}, p.message`, line: partLine, from }, values)) {
    const message = Number(row[4]);
    const list = byMessage.get(message);
    if (list === undefined) byMessage.set(message, [row]);
    else list.push(row);
  }
  return byMessage;
}

/** Where a message stands, or stood before it was deleted. */
function positionOf({ connection }: Reader, session: PresentSession, messageID: string): number {
  const row =
    connection.first("SELECT position FROM message WHERE session = ? AND id = ?", [session.key, messageID]) ??
    connection.first("SELECT position FROM tombstone WHERE session = ? AND kind = 'message' AND message = '' AND id = ?", [session.key, messageID]);
  if (typeof row?.[0] === "number") return row[0];
  throw new InvalidArgumentError("listMessages.before", `message "${messageID}" was never promoted in session "${session.id}".`);
}
