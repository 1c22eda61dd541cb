import type { Ask } from "../../message/ask.ts";
import type { AbortRequest, Inbox } from "../storage.ts";
import type { SqlValue } from "./connection.ts";
import { presentSession, queuedPrompts } from "./message-page.ts";
import { abortColumns, abortOf, askColumns, askOf, type Reader } from "./stored-rows.ts";

/** What waits for the owner of a session. */
export function readInbox(reader: Reader, sessionID: string): Inbox {
  const session = presentSession(reader, sessionID);
  return {
    seq: session.seq,
    queued: queuedPrompts(reader, session),
    asks: selectAsks(reader, "a.session = ? AND a.status <> 'closed'", [session.key]),
    aborts: readAborts(reader, session.key, sessionID),
  };
}

/** Asks of one tree or of all, in order of creation within each session. */
export function readAsks(reader: Reader, { rootID, status }: { rootID?: string | undefined; status?: Ask["status"] | undefined }): Ask[] {
  const conditions = ["s.deleted = 0"];
  const values: SqlValue[] = [];
  if (rootID !== undefined) {
    conditions.push("s.rootID = ?");
    values.push(rootID);
  }
  if (status !== undefined) {
    conditions.push("a.status = ?");
    values.push(status);
  }
  return selectAsks(reader, conditions.join(" AND "), values);
}

function selectAsks(reader: Reader, condition: string, values: readonly SqlValue[]): Ask[] {
  const sql = `SELECT ${askColumns}, s.id AS sessionID FROM ask a JOIN session s ON s.key = a.session WHERE ${condition} ORDER BY a.session, a.key`;
  const asks = reader.connection.rows(sql, values).map((row) => askOf(reader, String(row[4]), row));
  return asks.filter((ask) => ask !== undefined);
}

function readAborts(reader: Reader, session: number, sessionID: string): AbortRequest[] {
  const rows = reader.connection.rows(`SELECT ${abortColumns} FROM abort b WHERE b.session = ? ORDER BY b.key`, [session]);
  return rows.map((row) => abortOf(reader, sessionID, row)).filter((abort) => abort !== undefined);
}
