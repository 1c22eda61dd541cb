import { InvalidArgumentError } from "../../errors.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { pageLimit } from "../page-limit.ts";
import type { Page, SessionQuery } from "../storage.ts";
import type { Database } from "./database.ts";
import { toKey } from "./key.ts";
import type { RowReader } from "./row-reader.ts";
import { Statement } from "./statement.ts";

const sessionColumns = "s.id, s.parent_id, s.root_id, s.directory, s.project_id, s.title, s.agent, s.seq, s.changed, s.data";

export async function getSession(database: Database, reader: RowReader, sessionID: string): Promise<SessionInfo | undefined> {
  const statement = new Statement();
  const session = statement.value(toKey(sessionID));
  const [row] = await database.rows(statement, `SELECT ${sessionColumns} FROM ${database.tables.session} s WHERE s.id = ${session} AND NOT s.deleted`);
  return row === undefined ? undefined : reader.readSession(row);
}

/** A page of sessions, newest change first. The cursor is the change that the page ended at. */
export async function listSessions(database: Database, reader: RowReader, query: SessionQuery): Promise<Page<SessionInfo>> {
  const limit = pageLimit(query.limit, 100, "listSessions.limit");
  const statement = new Statement();
  const conditions = ["NOT s.deleted", ...conditionsOf(statement, query)];
  const rows = await database.rows(
    statement,
    `SELECT ${sessionColumns} FROM ${database.tables.session} s WHERE ${conditions.join(" AND ")} ORDER BY s.changed DESC LIMIT ${limit + 1}`,
  );
  const items = rows.slice(0, limit).map((row) => reader.readSession(row));
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return last === undefined ? { items } : { items, cursor: String(last["changed"]) };
}

function conditionsOf(statement: Statement, { parentID, directory, projectID, cursor }: SessionQuery): string[] {
  const conditions: string[] = [];
  if (parentID === null) conditions.push("s.parent_id IS NULL");
  else if (parentID !== undefined) conditions.push(`s.parent_id = ${statement.value(toKey(parentID))}`);
  if (directory !== undefined) conditions.push(`s.directory = ${statement.value(toKey(directory))}`);
  if (projectID !== undefined) conditions.push(`s.project_id = ${statement.value(toKey(projectID))}`);
  if (cursor !== undefined) conditions.push(`s.changed < ${statement.number(parseCursor(cursor))}`);
  return conditions;
}

function parseCursor(cursor: string): number {
  const changed = Number(cursor);
  if (!Number.isSafeInteger(changed)) throw new InvalidArgumentError("listSessions.cursor", `"${cursor}" is not a cursor of this store.`);
  return changed;
}
