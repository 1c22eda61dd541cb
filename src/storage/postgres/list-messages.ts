import { InvalidArgumentError, SessionNotFoundError } from "../../errors.ts";
import type { Message, WithParts } from "../../message/message.ts";
import { pageLimit } from "../page-limit.ts";
import type { Page } from "../storage.ts";
import type { Database } from "./database.ts";
import { fromKey, toKey } from "./key.ts";
import { MessageAssembly } from "./message-assembly.ts";
import { partTail } from "./record-columns.ts";
import type { RowReader } from "./row-reader.ts";
import { Statement } from "./statement.ts";

/** A page of a session's transcript, newest first. One statement, so that it is all of one moment. */
export async function listMessages(
  database: Database,
  reader: RowReader,
  sessionID: string,
  query: { before?: string | undefined; limit?: number | undefined },
): Promise<Page<WithParts>> {
  const limit = pageLimit(query.limit, 50, "listMessages.limit");
  const { tables } = database;
  const statement = new Statement();
  const session = statement.value(toKey(sessionID));
  statement.with("start", query.before === undefined ? `SELECT NULL::bigint AS position WHERE false` : `SELECT m.position FROM ${tables.message} m WHERE m.session_id = ${session} AND m.id = ${statement.value(toKey(query.before))} AND m.position IS NOT NULL`);
  const place = query.before === undefined ? "m.position IS NOT NULL" : "m.position < (SELECT start.position FROM start)";
  // Materialised, or else the parts would be looked up for more than the page.
  statement.with(
    "page",
    `SELECT m.id, m.position, m.data FROM ${tables.message} m WHERE m.session_id = ${session} AND NOT m.deleted AND ${place}
    ORDER BY m.position DESC LIMIT ${limit + 1}`,
  );
  const rows = await database.rows(
    statement,
    `SELECT 'session' AS kind, NULL AS message_id, s.id, NULL::bigint AS position, NULL::bigint AS place, NULL AS data, NULL AS tail FROM ${tables.session} s WHERE s.id = ${session} AND NOT s.deleted
    UNION ALL SELECT 'start', NULL, NULL, start.position, NULL, NULL, NULL FROM start
    UNION ALL SELECT 'message', NULL, page.id, page.position, NULL, page.data, NULL FROM page
    UNION ALL SELECT 'part', p.message_id, p.id, page.position, p.created, p.data, ${partTail(tables, "p")}
      FROM (SELECT * FROM page ORDER BY position DESC LIMIT ${limit}) page JOIN ${tables.part} p ON p.session_id = ${session} AND p.message_id = page.id AND NOT p.deleted
    ORDER BY position DESC NULLS FIRST, place NULLS FIRST`,
  );
  if (!rows.some(({ kind }) => kind === "session")) throw new SessionNotFoundError(sessionID);
  if (query.before !== undefined && !rows.some(({ kind }) => kind === "start")) {
    throw new InvalidArgumentError("listMessages.before", `message "${query.before}" was never promoted in session "${sessionID}".`);
  }
  const messages = rows.filter(({ kind }) => kind === "message");
  const assembly = new MessageAssembly<Message>(reader, sessionID);
  messages.slice(0, limit).forEach((row) => assembly.addMessage(row));
  for (const row of rows) if (row["kind"] === "part") assembly.addPart(row);
  // Of the row, and not of what was read from it, which may be damaged.
  const last = messages.length > limit ? messages[limit - 1] : undefined;
  return last === undefined ? { items: assembly.messages } : { items: assembly.messages, cursor: fromKey(String(last["id"])) };
}
