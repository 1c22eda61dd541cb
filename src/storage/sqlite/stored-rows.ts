import type { Ask } from "../../message/ask.ts";
import type { Message } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { rebuiltSession } from "../rebuilt-session.ts";
import { isAbort, isAsk, isMessage, isObject, isPart, isSession } from "../row-shape.ts";
import type { AbortRequest } from "../storage.ts";
import type { Connection, SqlRow } from "./connection.ts";
import type { RowDamage } from "./row-damage.ts";
import { decodeJson, decodeRow, decodeString, decodeText, encodeRow, encodeString } from "./row-json.ts";
import type { BulkRows } from "./rows-in-bulk.ts";

/** What reading rows needs: a connection, and somebody to tell of damage. */
export interface Reader {
  connection: Connection;
  damage: RowDamage;
}

export const encodeSession = (session: SessionInfo): string =>
  encodeRow(session, { id: true, parentID: true, rootID: true, directory: true, projectID: true, seq: true });
/** A session's directory or project. Two equal ones are equal texts, so that they can be asked for. */
export const encodeLabel = (label: string | undefined): string | null => (label === undefined ? null : encodeString(label));
export const encodeMessage = (message: Message): string => encodeRow(message, { id: true, sessionID: true, position: true, state: true });
export const encodePart = (part: Part): string => encodeRow(part, { id: true, sessionID: true, messageID: true });
export const encodeAsk = (ask: Ask): string => encodeRow(ask, { id: true, sessionID: true, status: true });
export const encodeAbort = (abort: AbortRequest): string => encodeRow(abort, { id: true });

/** The columns of a session's row as `sessionOf` takes them. */
export const sessionColumns = `s.key AS sessionKey, s.id AS sessionID, s.parentID, s.rootID, s.seq,
  CAST(s.directory AS BLOB) AS directory, CAST(s.projectID AS BLOB) AS projectID, CAST(s.data AS BLOB) AS sessionData`;

/** A damaged row is made anew from its columns, so that the session still lists and opens. */
export function sessionOf({ damage }: Reader, columns: SqlRow): SessionInfo {
  const [key, id, parentID, rootID, seq, directoryBytes, projectIDBytes, data] = columns;
  const sessionID = String(id);
  const directory = decodeString(directoryBytes);
  const projectID = decodeString(projectIDBytes);
  const row = decodeRow(data);
  const isWhole = row !== undefined && isSession(row);
  const isLost = isLostLabel(directoryBytes, directory) || isLostLabel(projectIDBytes, projectID);
  if (!isWhole || isLost) damage.report("session", key, { sessionID, id: sessionID });
  const session: SessionInfo = isWhole ? row : rebuiltSession({ id: sessionID, rootID: String(rootID) });
  session.id = sessionID;
  session.rootID = String(rootID);
  session.seq = Number(seq);
  if (typeof parentID === "string") session.parentID = parentID;
  if (directory !== undefined) session.directory = directory;
  if (projectID !== undefined) session.projectID = projectID;
  return session;
}

function isLostLabel(column: unknown, label: string | undefined): boolean {
  return column !== null && label === undefined;
}

/** The columns of a message's row as `messageOf` takes them. */
export const messageColumns =
  "m.key AS messageKey, CAST(m.id AS BLOB) AS messageID, m.position, m.state, CAST(m.data AS BLOB) AS messageData";

/** `undefined` for a damaged row. */
export function messageOf(reader: Reader, sessionID: string, [key, id, position, state, data]: SqlRow): Message | undefined {
  return messageAt(reader, sessionID, { columns: [key, position, decodeText(id), state], data: [decodeJson(data)] }, 0);
}

/** What a page of messages is made of, without its FROM. The key and the position are the first columns, the id the third. */
export const messageBulk = { numbers: ["m.key", "ifnull(m.position, 'null')"], texts: ["m.id", "m.state"], data: "m.data" };

/** How many columns a row has in {@link messageBulk}. */
export const messageWidth = 4;

/** `undefined` for a damaged row. */
export function messageAt({ damage }: Reader, sessionID: string, { columns, data }: BulkRows, index: number): Message | undefined {
  const first = index * messageWidth;
  const position = columns[first + 1];
  const id = columns[first + 2];
  const state = columns[first + 3];
  const row = data[index];
  if (typeof id !== "string" || !isObject(row) || !isMessage(row)) {
    damage.report("message", columns[first], { sessionID, id: typeof id === "string" ? id : undefined });
    return undefined;
  }
  const message: Message = row;
  message.id = id;
  message.sessionID = sessionID;
  if (typeof position === "number") message.position = position;
  if (message.role === "user" && (state === "queued" || state === "cancelled")) message.state = state;
  return message;
}

/** The columns of a part's row as `partOf` takes them. */
export const partColumns = "p.key AS partKey, CAST(p.id AS BLOB) AS partID, p.pieces, CAST(p.data AS BLOB) AS partData";

/** `undefined` for a damaged row. */
export function partOf(reader: Reader, { sessionID, messageID }: { sessionID: string; messageID: string }, [key, id, pieces, data]: SqlRow): Part | undefined {
  return partAt(reader, { sessionID, id: messageID }, { columns: [key, undefined, pieces, decodeText(id)], data: [decodeJson(data)] }, 0);
}

/** What the parts of a page are made of, without its FROM. The key is the first column, that of the message the second. */
export const partBulk = { numbers: ["p.key", "p.message", "p.pieces"], texts: ["p.id"], data: "p.data" };

/** How many columns a row has in {@link partBulk}. */
export const partWidth = 4;

/** `undefined` for a damaged row. */
export function partAt(reader: Reader, { sessionID, id: messageID }: Pick<Message, "sessionID" | "id">, { columns, data }: BulkRows, index: number): Part | undefined {
  const first = index * partWidth;
  const id = columns[first + 3];
  const row = data[index];
  const rest = columns[first + 2] === 0 ? "" : piecesOf(reader.connection, Number(columns[first]));
  if (typeof id !== "string" || rest === undefined || !isObject(row) || !isPart(row)) {
    reader.damage.report("part", columns[first], { sessionID, id: typeof id === "string" ? id : undefined });
    return undefined;
  }
  const part: Part = row;
  part.id = id;
  part.sessionID = sessionID;
  part.messageID = messageID;
  if (rest !== "" && (part.type === "text" || part.type === "reasoning")) part.text += rest;
  return part;
}

function piecesOf(connection: Connection, partKey: number): string | undefined {
  let text = "";
  for (const [piece] of connection.rows("SELECT CAST(text AS BLOB) AS text FROM part_piece WHERE part = ? ORDER BY offset", [partKey])) {
    const decoded = decodeString(piece);
    if (decoded === undefined) return undefined;
    text += decoded;
  }
  return text;
}

/** The columns of an ask's row as `askOf` takes them. */
export const askColumns = "a.key AS askKey, CAST(a.id AS BLOB) AS askID, a.status, CAST(a.data AS BLOB) AS askData";

/** `undefined` for a damaged row. */
export function askOf({ damage }: Reader, sessionID: string, columns: SqlRow): Ask | undefined {
  const [key, idBytes, status, data] = columns;
  const id = decodeText(idBytes);
  const row = decodeRow(data);
  if (row !== undefined) row["status"] = status;
  if (id === undefined || row === undefined || !isAsk(row)) {
    damage.report("ask", key, { sessionID, id });
    return undefined;
  }
  const ask: Ask = row;
  ask.id = id;
  ask.sessionID = sessionID;
  return ask;
}

/** The columns of an abort request's row as `abortOf` takes them. */
export const abortColumns = "b.key AS abortKey, CAST(b.id AS BLOB) AS abortID, CAST(b.data AS BLOB) AS abortData";

/** `undefined` for a damaged row. */
export function abortOf({ damage }: Reader, sessionID: string, columns: SqlRow): AbortRequest | undefined {
  const [key, idBytes, data] = columns;
  const id = decodeText(idBytes);
  const row = decodeRow(data);
  if (id === undefined || row === undefined || !isAbort(row)) {
    damage.report("abort", key, { sessionID, id });
    return undefined;
  }
  const abort: AbortRequest = row;
  abort.id = id;
  return abort;
}
