import { InvalidArgumentError, SessionNotFoundError } from "../../errors.ts";
import { pageLimit } from "../page-limit.ts";
import type { Change, ChangePage } from "../storage.ts";
import type { Database } from "./database.ts";
import { fromKey, toKey } from "./key.ts";
import type { AnswerRow } from "./postgres-client.ts";
import { partTail } from "./record-columns.ts";
import type { RowReader } from "./row-reader.ts";
import type { Tables } from "./schema-name.ts";
import { Statement } from "./statement.ts";

/** What changed in a session after a `seq`, tombstones included. One statement, so that it is all of one moment. */
export async function readChanges(database: Database, reader: RowReader, sessionID: string, query: { after: number; limit?: number | undefined }): Promise<ChangePage> {
  const { after } = query;
  if (!Number.isInteger(after) || after < 0) throw new InvalidArgumentError("changes.after", `must be a seq (a whole number from 0 on), not ${after}.`);
  const limit = pageLimit(query.limit, 500, "changes.limit");
  const statement = new Statement();
  const rows = await database.rows(statement, feedQuery(database.tables, statement, { sessionID, after, limit }));
  const [session, ...changed] = rows;
  if (session?.["kind"] !== "session") throw new SessionNotFoundError(sessionID);
  return withoutRows(session, sessionID, after) ?? pageOf(reader, session, changed, { sessionID, after, limit });
}

interface FeedRequest {
  sessionID: string;
  after: number;
  limit: number;
}

/** The answers that need no rows: of a deleted session, and of a history that is not known here. */
function withoutRows(session: AnswerRow, sessionID: string, after: number): ChangePage | undefined {
  const [seq, floor, isDeleted] = [Number(session["seq"]), Number(session["floor"]), session["deleted"] === true];
  if (after > seq || (!isDeleted && after < floor && after !== 0)) return { changes: [], seq, more: false, reset: true };
  if (!isDeleted) return undefined;
  return { changes: after === seq ? [] : [{ seq, type: "session.deleted", sessionID }], seq, more: false };
}

/** Up to `limit` changes, and the rest of the last one's commit. */
function pageOf(reader: RowReader, session: AnswerRow, changed: readonly AnswerRow[], { sessionID, after, limit }: FeedRequest): ChangePage {
  const [seq, stamp] = [Number(session["seq"]), Number(session["stamp"])];
  const feed = [...(stamp > after ? [session] : []), ...changed].sort((a, b) => Number(a["stamp"]) - Number(b["stamp"]));
  const last = feed[limit - 1];
  const end = last === undefined ? seq : Number(last["stamp"]);
  const changes = feed.flatMap((row) => (Number(row["stamp"]) > end ? [] : (changeOf(reader, sessionID, row) ?? [])));
  return end < Math.max(stamp, Number(session["newest"])) ? { changes, seq: end, more: true } : { changes, seq, more: false };
}

/** The session's row first. Of each table a page, with all the rows of its last stamp. */
function feedQuery(tables: Tables, statement: Statement, { sessionID, after, limit }: FeedRequest): string {
  const session = statement.value(toKey(sessionID));
  const start = statement.number(after);
  const page = (table: string, columns: string): string =>
    `(SELECT ${columns} FROM ${table} r WHERE r.session_id = ${session} AND r.stamp > ${start} ORDER BY r.stamp FETCH FIRST ${limit} ROWS WITH TIES)`;
  const rest = "NULL::bigint AS seq, NULL::bigint AS floor, NULL::bigint AS newest, NULL AS parent_id, NULL AS root_id, NULL AS directory, NULL AS project_id, NULL AS title, NULL AS agent";
  const newest = ["message", "part", "ask"] as const;
  const newestStamps = newest.map((table) => `(SELECT max(n.stamp) FROM ${tables[table]} n WHERE n.session_id = ${session})`);
  statement.with("messages", page(tables.message, "r.*"));
  statement.with("parts", page(tables.part, "r.*"));
  statement.with("asks", page(tables.ask, "r.*"));
  return `SELECT 'session' AS kind, NULL AS message_id, s.id, NULL::bigint AS created, s.stamp, s.deleted, s.data, NULL AS tail, s.seq, s.floor,
      coalesce(greatest(${newestStamps.join(", ")}), 0) AS newest, s.parent_id, s.root_id, s.directory, s.project_id, s.title, s.agent
      FROM ${tables.session} s WHERE s.id = ${session}
    UNION ALL SELECT 'message', NULL, r.id, r.created, r.stamp, r.deleted, r.data, NULL, ${rest} FROM messages r
    UNION ALL SELECT 'part', r.message_id, r.id, r.created, r.stamp, r.deleted, r.data, ${partTail(tables, "r")}, ${rest} FROM parts r
    UNION ALL SELECT 'ask', NULL, r.id, r.created, r.stamp, r.deleted, r.data, NULL, ${rest} FROM asks r`;
}

function changeOf(reader: RowReader, sessionID: string, row: AnswerRow): Change | undefined {
  const seq = Number(row["stamp"]);
  if (row["deleted"] === true) return tombstoneOf(seq, row);
  switch (row["kind"]) {
    case "session":
      return { seq, type: "session", session: reader.readSession(row) };
    case "message": {
      const message = reader.read("message", sessionID, row);
      return message && { seq, type: "message", message };
    }
    case "part": {
      const part = reader.read("part", sessionID, row);
      return part && { seq, type: "part", part, position: Number(row["created"]) };
    }
    default: {
      const ask = reader.read("ask", sessionID, row);
      return ask && { seq, type: "ask", ask };
    }
  }
}

function tombstoneOf(seq: number, row: AnswerRow): Change {
  const id = fromKey(String(row["id"]));
  if (row["kind"] === "message") return { seq, type: "message.deleted", messageID: id };
  if (row["kind"] === "part") return { seq, type: "part.deleted", messageID: fromKey(String(row["message_id"])), partID: id };
  return { seq, type: "ask.deleted", askID: id };
}
