import { InvalidArgumentError } from "../../errors.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { pageLimit } from "../page-limit.ts";
import type { Page, SessionQuery } from "../storage.ts";
import type { SqlValue } from "./connection.ts";
import { encodeLabel, sessionColumns, sessionOf, type Reader } from "./stored-rows.ts";

export function readSession(reader: Reader, sessionID: string): SessionInfo | undefined {
  const row = reader.connection.first(`SELECT ${sessionColumns} FROM session s WHERE s.id = ? AND s.deleted = 0`, [sessionID]);
  return row === undefined ? undefined : sessionOf(reader, row);
}

/** A page of sessions, newest commit first. The cursor is the commit that the page ended at. */
export function sessionPage(reader: Reader, query: SessionQuery): Page<SessionInfo> {
  const limit = pageLimit(query.limit, 100, "listSessions.limit");
  const { conditions, values } = filter(query);
  const sql = `SELECT ${sessionColumns}, s.changed FROM session s WHERE ${conditions.join(" AND ")} ORDER BY s.changed DESC LIMIT ?`;
  const rows = reader.connection.rows(sql, [...values, limit + 1]);
  const items = rows.slice(0, limit).map((row) => sessionOf(reader, row));
  const last = rows[limit - 1];
  return rows.length > limit && last !== undefined ? { items, cursor: String(last[8]) } : { items };
}

function filter({ cursor, parentID, directory, projectID }: SessionQuery): { conditions: string[]; values: SqlValue[] } {
  const conditions = ["s.deleted = 0"];
  const values: SqlValue[] = [];
  const demand = (condition: string, ...demanded: SqlValue[]): void => {
    conditions.push(condition);
    values.push(...demanded);
  };
  if (cursor !== undefined) demand("s.changed < ?", parseCursor(cursor));
  if (parentID === null) demand("s.parentID IS NULL");
  else if (parentID !== undefined) demand("s.parentID = ?", parentID);
  if (directory !== undefined) demand("s.directory = ?", encodeLabel(directory));
  if (projectID !== undefined) demand("s.projectID = ?", encodeLabel(projectID));
  return { conditions, values };
}

function parseCursor(cursor: string): number {
  const changed = Number(cursor);
  if (!Number.isInteger(changed)) throw new InvalidArgumentError("listSessions.cursor", `"${cursor}" is not a cursor of this store.`);
  return changed;
}
