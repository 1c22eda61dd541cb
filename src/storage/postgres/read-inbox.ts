import { SessionNotFoundError } from "../../errors.ts";
import type { Ask } from "../../message/ask.ts";
import type { UserMessage } from "../../message/message.ts";
import type { AbortRequest, Inbox } from "../storage.ts";
import type { Database } from "./database.ts";
import { toKey } from "./key.ts";
import { MessageAssembly } from "./message-assembly.ts";
import { partTail } from "./record-columns.ts";
import type { RowReader } from "./row-reader.ts";
import { Statement } from "./statement.ts";

/** What waits for the owner of a session. One statement, so that it is all of one moment. */
export async function readInbox(database: Database, reader: RowReader, sessionID: string): Promise<Inbox> {
  const { tables } = database;
  const statement = new Statement();
  const session = statement.value(toKey(sessionID));
  const rows = await database.rows(
    statement,
    `SELECT 1 AS rank, NULL AS message_id, s.id, s.seq AS place, NULL AS data, NULL AS tail FROM ${tables.session} s WHERE s.id = ${session} AND NOT s.deleted
    UNION ALL SELECT 2, NULL, m.id, m.created, m.data, NULL FROM ${tables.message} m WHERE m.session_id = ${session} AND m.queued
    UNION ALL SELECT 3, p.message_id, p.id, p.created, p.data, ${partTail(tables, "p")}
      FROM ${tables.message} m JOIN ${tables.part} p ON p.session_id = m.session_id AND p.message_id = m.id AND NOT p.deleted WHERE m.session_id = ${session} AND m.queued
    UNION ALL SELECT 4, NULL, a.id, a.created, a.data, NULL FROM ${tables.ask} a WHERE a.session_id = ${session} AND a.status <> 'closed' AND NOT a.deleted
    UNION ALL SELECT 5, NULL, r.id, r.created, r.data, NULL FROM ${tables.abort} r WHERE r.session_id = ${session} AND NOT r.deleted
    ORDER BY rank, place`,
  );
  const [first] = rows;
  if (first === undefined || Number(first["rank"]) !== 1) throw new SessionNotFoundError(sessionID);
  const queued = new MessageAssembly<UserMessage>(reader, sessionID);
  const [asks, aborts]: [Ask[], AbortRequest[]] = [[], []];
  for (const row of rows) {
    const rank = Number(row["rank"]);
    if (rank === 2) queued.addMessage(row);
    else if (rank === 3) queued.addPart(row);
    else if (rank === 4) asks.push(...present(reader.read("ask", sessionID, row)));
    else if (rank === 5) aborts.push(...present(reader.read("abort", sessionID, row)));
  }
  return { seq: Number(first["place"]), queued: queued.messages, asks, aborts };
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
