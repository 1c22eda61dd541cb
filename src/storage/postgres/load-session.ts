import type { SessionInfo } from "../../message/session-info.ts";
import type { Holding } from "../operations/lease-rules.ts";
import type { Database } from "./database.ts";
import { fromKey, toKey } from "./key.ts";
import type { AnswerRow } from "./postgres-client.ts";
import { partTail, artifactTail } from "./record-columns.ts";
import type { RowReader } from "./row-reader.ts";
import type { SessionSnapshot } from "./session-draft.ts";
import type { StoredRow } from "./staged-rows.ts";
import { Statement } from "./statement.ts";
import type { TouchedRows } from "./touched-rows.ts";

export interface LoadRequest {
  sessionID: string;
  /** For a new child. */
  parentID: string | undefined;
  /** Whose lease the batch has. */
  leaseRootID: string | undefined;
  touched: TouchedRows;
  /** Also the texts of parts and artifacts that the batch adds to. */
  withTexts: boolean;
}

/** What a batch is judged on, all of one moment. */
export interface LoadedSession extends Omit<SessionSnapshot, "session"> {
  session: SessionInfo | undefined;
  /** The session's `seq`, or that of its tombstone; 0 when there never was one. */
  seq: number;
  parent: { rootID: string } | undefined;
  holding: Holding | undefined;
}

export async function loadSession(database: Database, reader: RowReader, request: LoadRequest): Promise<LoadedSession> {
  const statement = new Statement();
  const session = statement.value(toKey(request.sessionID));
  const branches = [...headBranches(database, statement, session, request), ...rowBranches(database, statement, session, request)];
  const rows = await database.rows(statement, branches.join("\nUNION ALL "));
  return collect(reader, request.sessionID, rows);
}

/** The session, its parent, and the lease. */
function headBranches({ tables }: Database, statement: Statement, session: string, { parentID, leaseRootID }: LoadRequest): string[] {
  const columns = (kind: string, id: string, position: string, data: string): string =>
    `SELECT '${kind}' AS kind, NULL AS message_id, ${id} AS id, ${position} AS position, NULL::bigint AS size, false AS grown, false AS deleted, ${data} AS data, NULL AS tail, true AS is_read`;
  const branches = [`${columns("session", "s.id", "s.seq", "row_to_json(s)::text")} FROM ${tables.session} s WHERE s.id = ${session}`];
  if (leaseRootID !== undefined) {
    branches.push(`${columns("lease", "l.owner", "l.fence", "l.deadline::text")} FROM ${tables.lease} l WHERE l.root_id = ${statement.value(toKey(leaseRootID))}`);
  }
  if (parentID !== undefined) {
    branches.push(`${columns("parent", "s.id", "s.seq", "s.root_id")} FROM ${tables.session} s WHERE s.id = ${statement.value(toKey(parentID))} AND NOT s.deleted`);
  }
  return branches;
}

/**
 * One branch for each kind of row. `LIMIT 1` keeps every look-up a look-up in an index: without it a planner that knows little
 * of a table may read a whole session.
 */
function rowBranches({ tables }: Database, statement: Statement, session: string, { touched, withTexts }: LoadRequest): string[] {
  const branches: string[] = [];
  const look = (columns: string, rows: string, table: string, condition: string): void => {
    branches.push(`SELECT ${columns} FROM ${rows} CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE session_id = ${session} AND ${condition} LIMIT 1) r`);
  };
  const ids = (set: ReadonlySet<string>): string => statement.rows([...set].map((id) => ({ key: toKey(id) })), "key text");
  const record = (kind: string): string => `'${kind}', NULL, r.id, NULL, NULL, false, r.deleted, r.data, NULL, true`;
  const message = "'message', NULL, r.id, r.position, NULL, false, r.deleted, r.data, NULL, true";
  const part = (isRead: boolean): string =>
    `'part', r.message_id, r.id, r.created, r.size, r.grown, r.deleted, ${isRead ? `r.data, ${partTail(tables, "r")}, true` : "NULL, NULL, false"}`;
  if (touched.messages.size > 0) look(message, ids(touched.messages), tables.message, "id = x.key");
  if (touched.positions.size > 0) {
    const positions = statement.rows([...touched.positions].map((position) => ({ position })), "position bigint");
    look(message, positions, tables.message, "position = x.position AND NOT deleted");
  }
  if (touched.parts.size > 0) {
    const keys = [...touched.parts].flatMap(([messageID, partIDs]) => [...partIDs].map((id) => ({ message: toKey(messageID), key: toKey(id) })));
    look(part(withTexts), statement.rows(keys, "message text, key text"), tables.part, "message_id = x.message AND id = x.key");
  }
  for (const messageID of touched.wholes) {
    const condition = `r.session_id = ${session} AND r.message_id = ${statement.value(toKey(messageID))} AND NOT r.deleted`;
    branches.push(`(SELECT ${part(true)} FROM ${tables.part} r WHERE ${condition} ORDER BY r.created)`);
  }
  if (touched.asks.size > 0) look(record("ask"), ids(touched.asks), tables.ask, "id = x.key");
  if (touched.artifacts.size > 0) {
    const data = withTexts ? `r.data, ${artifactTail(tables, "r")}, true` : "NULL, NULL, false";
    look(`'artifact', NULL, r.id, NULL, r.size, true, false, ${data}`, ids(touched.artifacts), tables.artifact, "id = x.key");
  }
  if (touched.aborts.size > 0) look(record("abort"), ids(touched.aborts), tables.abort, "id = x.key");
  return branches;
}

function collect(reader: RowReader, sessionID: string, rows: readonly AnswerRow[]): LoadedSession {
  const loaded = { messages: new Map(), parts: new Map(), asks: new Map(), artifacts: new Map(), aborts: new Map() } satisfies Partial<LoadedSession>;
  const result: LoadedSession = { ...loaded, session: undefined, seq: 0, parent: undefined, holding: undefined };
  for (const row of rows) {
    const id = fromKey(String(row["id"]));
    switch (row["kind"]) {
      case "session":
        takeSession(reader, result, row);
        break;
      case "parent":
        result.parent = { rootID: fromKey(String(row["data"])) };
        break;
      case "lease":
        result.holding = { owner: row["id"] === null ? undefined : id, fence: Number(row["position"]), deadline: Number(row["data"]) };
        break;
      case "message":
        loaded.messages.set(id, storedRow(row, () => reader.read("message", sessionID, row)));
        break;
      case "part": {
        const messageID = fromKey(String(row["message_id"]));
        const parts = (loaded.parts.get(messageID) as Map<string, unknown> | undefined) ?? new Map<string, unknown>();
        loaded.parts.set(messageID, parts.set(id, storedRow(row, () => reader.read("part", sessionID, row))));
        break;
      }
      case "ask":
        loaded.asks.set(id, storedRow(row, () => reader.read("ask", sessionID, row)));
        break;
      case "artifact":
        loaded.artifacts.set(id, storedRow(row, () => reader.read("artifact", sessionID, row)));
        break;
      default:
        loaded.aborts.set(id, storedRow(row, () => reader.read("abort", sessionID, row)));
    }
  }
  return result;
}

function takeSession(reader: RowReader, result: LoadedSession, row: AnswerRow): void {
  const session = JSON.parse(String(row["data"])) as AnswerRow; // made by row_to_json
  result.seq = Number(session["seq"]);
  if (session["deleted"] !== true) result.session = reader.readSession(session);
}

function storedRow<T>(row: AnswerRow, read: () => T | undefined): StoredRow<T> {
  const number = (column: string): number | undefined => (row[column] === null ? undefined : Number(row[column]));
  const [deleted, isRead] = [row["deleted"] === true, row["is_read"] === true];
  return {
    row: deleted || !isRead ? undefined : read(),
    isRead: deleted || isRead,
    deleted,
    position: number("position"),
    size: number("size"),
    grown: row["grown"] === true,
  };
}
