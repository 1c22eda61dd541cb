import type { SessionInfo } from "../../message/session-info.ts";
import type { Batch, Lease } from "../storage.ts";
import type { Database } from "./database.ts";
import { toKey } from "./key.ts";
import { notifyCall } from "./notify-call.ts";
import { quoteLiteral, type Tables } from "./schema-name.ts";
import type { SessionDraft } from "./session-draft.ts";
import { Statement } from "./statement.ts";
import { writeArtifacts, writeParts, writeRecords } from "./write-rows.ts";
import { writtenRows } from "./written-rows.ts";

export interface WriteRequest {
  batch: Batch;
  draft: SessionDraft;
  /** The `seq` that the batch was judged at. */
  seq: number;
}

/** What a commit came to. */
export interface Written {
  seq: number;
  /** About how many tombstones the session has. */
  tombstones: number;
}

/**
 * Writes a judged batch, in one statement: all of it, or nothing when the session or the lease is not any more what it was
 * judged on. Everything else in the statement hangs on `head`, the session's row, which only one writer at a time can change:
 * who comes second waits for it, and then finds another `seq`.
 */
export async function writeBatch(database: Database, { batch, draft, seq }: WriteRequest): Promise<Written | undefined> {
  const { tables } = database;
  const statement = new Statement();
  const rows = writtenRows(draft, seq + 1);
  const isNew = batch.operations[0]?.type === "session.create";
  if (batch.lease !== undefined) statement.with("fence", fenceQuery(tables, statement, batch.lease, "SHARE"));
  if (isNew && draft.parentID !== undefined) statement.with("parent", parentUpdate(tables, statement, draft.parentID));
  const head = { tables, statement, draft, seq, isLeased: batch.lease !== undefined, tombstones: rows.tombstones };
  statement.with("head", isNew ? sessionInsert(head) : sessionUpdate(head));
  writeRecords(tables, statement, rows, draft.rootID);
  writeParts(tables, statement, rows);
  writeArtifacts(tables, statement, rows);
  const query = `SELECT head.seq, head.tombstones, ${notifyCall(database, "head.id")} FROM head`;
  const [row] = (await database.rowsUnlessRaced(statement, query)) ?? [];
  return row === undefined ? undefined : { seq: Number(row["seq"]), tombstones: Number(row["tombstones"]) };
}

/** A new owner waits until this commit is over, or this commit finds him there. Every statement takes the lease before the session. */
export function fenceQuery(tables: Tables, statement: Statement, lease: Lease, lock: "SHARE" | "UPDATE"): string {
  return `SELECT 1 FROM ${tables.lease} WHERE root_id = ${statement.value(toKey(lease.rootID))} AND owner = ${statement.value(toKey(lease.owner))}
    AND fence = ${statement.number(lease.fence)} FOR ${lock}`;
}

interface Head {
  tables: Tables;
  statement: Statement;
  draft: SessionDraft;
  seq: number;
  isLeased: boolean;
  tombstones: number;
}

/** Somebody who deletes the parent compares this number, and so sees a child that came after he has looked. */
function parentUpdate(tables: Tables, statement: Statement, parentID: string): string {
  return `UPDATE ${tables.session} SET births = births + 1 WHERE id = ${statement.value(toKey(parentID))} AND NOT deleted RETURNING 1`;
}

function sessionUpdate({ tables, statement, draft, seq, isLeased, tombstones }: Head): string {
  const row = draft.putRow === undefined ? [] : Object.entries(sessionColumns(draft.putRow));
  const columns = row.map(([column, value]) => `${column} = ${statement.value(value)}`);
  const stamp = row.length === 0 ? [] : ["stamp = s.seq + 1"];
  const stones = tombstones === 0 ? [] : [`tombstones = s.tombstones + ${tombstones}`];
  const assignments = ["seq = s.seq + 1", `changed = ${nextChange(tables)}`, ...stamp, ...stones, ...columns];
  return `UPDATE ${tables.session} s SET ${assignments.join(", ")}
    WHERE s.id = ${statement.value(toKey(draft.id))} AND s.seq = ${statement.number(seq)} AND NOT s.deleted${isLeased ? " AND EXISTS (SELECT 1 FROM fence)" : ""}
    RETURNING s.id, s.seq, s.tombstones`;
}

/** On the tombstone of a deleted session its numbers go on. */
function sessionInsert({ tables, statement, draft, seq, isLeased }: Head): string {
  const columns = sessionColumns(draft.session());
  const names = Object.keys(columns);
  const values = Object.values(columns).map((value) => statement.value(value));
  const next = statement.number(seq + 1);
  const conditions = [...(isLeased ? ["EXISTS (SELECT 1 FROM fence)"] : []), ...(draft.parentID === undefined ? [] : ["EXISTS (SELECT 1 FROM parent)"])];
  const identity = [toKey(draft.id), draft.parentID === undefined ? null : toKey(draft.parentID), toKey(draft.rootID)].map((value) => statement.value(value));
  const overwritten = ["parent_id", "root_id", "seq", "stamp", "floor", "changed", "deleted", ...names];
  return `INSERT INTO ${tables.session} AS s (id, parent_id, root_id, seq, stamp, floor, changed, deleted, ${names.join(", ")})
    SELECT ${identity.join(", ")}, ${next}, ${next}, ${statement.number(seq)}, ${nextChange(tables)}, false, ${values.join(", ")}
    ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}
    ON CONFLICT (id) DO UPDATE SET tombstones = 0, ${overwritten.map((name) => `${name} = excluded.${name}`).join(", ")}
    WHERE s.deleted AND s.seq = ${statement.number(seq)}
    RETURNING s.id, s.seq, s.tombstones`;
}

/** A session's record, and what queries and a repair of the record need of it. Its place in the tree never changes. */
function sessionColumns(session: SessionInfo): Record<string, string | null> {
  const optional = (value: string | undefined): string | null => (value === undefined ? null : toKey(value));
  return {
    title: toKey(session.title),
    agent: toKey(session.agent),
    directory: optional(session.directory),
    project_id: optional(session.projectID),
    data: JSON.stringify(session),
  };
}

function nextChange(tables: Tables): string {
  return `nextval(${quoteLiteral(tables.commits)}::regclass)`;
}
