import { InvalidArgumentError, SessionNotFoundError } from "../../errors.ts";
import { pageLimit } from "../page-limit.ts";
import type { Change, ChangePage } from "../storage.ts";
import type { SqlRow } from "./connection.ts";
import { decodeText } from "./row-json.ts";
import { askColumns, askOf, messageColumns, messageOf, partColumns, partOf, sessionColumns, sessionOf, type Reader } from "./stored-rows.ts";

interface FeedQuery {
  session: number;
  sessionID: string;
  after: number;
  /** The last seq of the page. */
  until: number;
}

/** Parts are found by their message: it knows the newest stamp among them. Abort requests are not for the feed. */
const stamps = `
  SELECT stamp FROM session WHERE key = ?1 AND stamp > ?2
  UNION ALL SELECT stamp FROM message WHERE session = ?1 AND changed > ?2 AND stamp > ?2
  UNION ALL SELECT p.stamp FROM message m JOIN part p ON p.message = m.key WHERE m.session = ?1 AND m.changed > ?2 AND p.stamp > ?2
  UNION ALL SELECT stamp FROM ask WHERE session = ?1 AND stamp > ?2
  UNION ALL SELECT seq FROM tombstone WHERE session = ?1 AND seq > ?2 AND kind <> 'abort'`;

/** The rows that were written after a seq as they are now, and the tombstones since, in order of their stamp. */
export function changePage(reader: Reader, sessionID: string, query: { after: number; limit?: number | undefined }): ChangePage {
  const { after } = query;
  if (!Number.isInteger(after) || after < 0)
    throw new InvalidArgumentError("changes.after", `must be a seq (a whole number from 0 on), not ${after}.`);
  const limit = pageLimit(query.limit, 500, "changes.limit");
  const row = reader.connection.first("SELECT key, seq, floor, deleted FROM session WHERE id = ?", [sessionID]);
  if (row === undefined) throw new SessionNotFoundError(sessionID);
  const [key, seq, floor, deleted] = row.map(Number) as [number, number, number, number];
  if (after > seq || (deleted === 0 && after < floor && after !== 0)) return { changes: [], seq, more: false, reset: true };
  if (deleted !== 0) return { changes: after === seq ? [] : [{ seq, type: "session.deleted", sessionID }], seq, more: false };
  const until = lastSeqOfPage(reader, key, { after, limit });
  const changes = readChanges(reader, { session: key, sessionID, after, until: until ?? seq });
  return { changes, seq: until ?? seq, more: until !== undefined };
}

/** A page never ends within one commit's changes. `undefined` when all that is left fits. */
function lastSeqOfPage({ connection }: Reader, session: number, { after, limit }: { after: number; limit: number }): number | undefined {
  const last = connection.first(`SELECT stamp FROM (${stamps}) ORDER BY stamp LIMIT 1 OFFSET ?3`, [session, after, limit - 1])?.[0];
  if (last === undefined) return undefined;
  return connection.first(`SELECT stamp FROM (${stamps}) LIMIT 1`, [session, Number(last)]) === undefined ? undefined : Number(last);
}

function readChanges(reader: Reader, query: FeedQuery): Change[] {
  /** By key of the message: the parts of a damaged one are hidden with it. */
  const isReadable = new Map<unknown, boolean>();
  const changes = [...sessionChanges(reader, query), ...messageChanges(reader, query, isReadable), ...partChanges(reader, query, isReadable)];
  return [...changes, ...askChanges(reader, query), ...tombstones(reader, query)].sort((a, b) => a.seq - b.seq);
}

function sessionChanges(reader: Reader, { session, after, until }: FeedQuery): Change[] {
  const sql = `SELECT ${sessionColumns}, s.stamp FROM session s WHERE s.key = ? AND s.stamp > ? AND s.stamp <= ?`;
  return reader.connection.rows(sql, [session, after, until]).map((row) => ({ seq: Number(row[8]), type: "session", session: sessionOf(reader, row) }));
}

function messageChanges(reader: Reader, { session, sessionID, after, until }: FeedQuery, isReadable: Map<unknown, boolean>): Change[] {
  const sql = `SELECT ${messageColumns}, m.stamp FROM message m
    WHERE m.session = ?1 AND m.changed > ?2 AND m.stamp > ?2 AND m.stamp <= ?3 ORDER BY m.key`;
  return reader.connection.rows(sql, [session, after, until]).flatMap((row): Change[] => {
    const message = messageOf(reader, sessionID, row);
    isReadable.set(row[0], message !== undefined);
    return message === undefined ? [] : [{ seq: Number(row[5]), type: "message", message }];
  });
}

function partChanges(reader: Reader, { session, sessionID, after, until }: FeedQuery, isReadable: Map<unknown, boolean>): Change[] {
  const sql = `SELECT ${partColumns}, p.stamp, m.key AS messageKey, CAST(m.id AS BLOB) AS messageID FROM message m JOIN part p ON p.message = m.key
    WHERE m.session = ?1 AND m.changed > ?2 AND p.stamp > ?2 AND p.stamp <= ?3 ORDER BY p.key`;
  return reader.connection.rows(sql, [session, after, until]).flatMap((row): Change[] => {
    const messageKey = row[5];
    if (!isReadable.has(messageKey)) isReadable.set(messageKey, hasReadableMessage(reader, sessionID, Number(messageKey)));
    const messageID = isReadable.get(messageKey) === true ? decodeText(row[6]) : undefined;
    const part = messageID === undefined ? undefined : partOf(reader, { sessionID, messageID }, row);
    return part === undefined ? [] : [{ seq: Number(row[4]), type: "part", part, position: Number(row[0]) }];
  });
}

function hasReadableMessage(reader: Reader, sessionID: string, key: number): boolean {
  const row = reader.connection.first(`SELECT ${messageColumns} FROM message m WHERE m.key = ?`, [key]);
  return row !== undefined && messageOf(reader, sessionID, row) !== undefined;
}

function askChanges(reader: Reader, { session, sessionID, after, until }: FeedQuery): Change[] {
  const sql = `SELECT ${askColumns}, a.stamp FROM ask a WHERE a.session = ? AND a.stamp > ? AND a.stamp <= ? ORDER BY a.key`;
  return reader.connection.rows(sql, [session, after, until]).flatMap((row): Change[] => {
    const ask = askOf(reader, sessionID, row);
    return ask === undefined ? [] : [{ seq: Number(row[4]), type: "ask", ask }];
  });
}

function tombstones(reader: Reader, { session, after, until }: FeedQuery): Change[] {
  const sql = "SELECT seq, kind, message, id FROM tombstone WHERE session = ? AND seq > ? AND seq <= ? AND kind <> 'abort' ORDER BY seq";
  return reader.connection.rows(sql, [session, after, until]).map(tombstone);
}

function tombstone([seqColumn, kind, message, idColumn]: SqlRow): Change {
  const seq = Number(seqColumn);
  const id = String(idColumn);
  if (kind === "part") return { seq, type: "part.deleted", messageID: String(message), partID: id };
  return kind === "ask" ? { seq, type: "ask.deleted", askID: id } : { seq, type: "message.deleted", messageID: id };
}
