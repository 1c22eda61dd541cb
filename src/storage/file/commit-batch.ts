import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SessionNotFoundError } from "../../errors.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { SessionRecord } from "../memory/session-record.ts";
import { applyOperation } from "../operations/apply-operation.ts";
import { checkNewSession } from "../operations/new-session.ts";
import type { Batch } from "../storage.ts";
import { attempt } from "./durable-file.ts";
import type { CommitLine } from "./log-line.ts";
import type { OpenStore } from "./open-store.ts";
import { rewriteIfDue } from "./rewrite.ts";
import type { NewLine, SessionLog } from "./session-log.ts";
import { deletedLine, headerLine } from "./snapshot.ts";

/** What a commit came to. */
export interface Committed {
  seq: number;
  /** The sessions that it wrote to. */
  sessionIDs: string[];
  /** The file that it went to, and whether that is a new one; `undefined` when nothing is left to be synced. */
  file?: { path: string; isNew: boolean } | undefined;
}

/** Writes a checked batch whole or not at all. Only under the store's lock. */
export function commitBatch(store: OpenStore, batch: Batch): Committed {
  const [first] = batch.operations;
  if (first?.type === "session.delete") return deleteSession(store, batch);
  const log = store.logs.get(batch.sessionID);
  const created = first?.type === "session.create" ? prepare(store, log, first.session) : undefined;
  const record = created ?? log.record;
  if (record === undefined) throw new SessionNotFoundError(batch.sessionID);
  if (batch.lease !== undefined) store.leases.check(batch.lease, record.rootID);
  const isNew = log.size === 0;
  write(store, { log, record, batch, isCreated: created !== undefined });
  if (created !== undefined) log.adopt(created);
  // The commit is written: that it could be stored in fewer bytes is not worth its failure.
  attempt(() => rewriteIfDue(log, { paths: store.paths, sync: store.sync !== "never" }));
  return { seq: record.seq, sessionIDs: [record.id], file: { path: log.path, isNew } };
}

function prepare({ logs }: OpenStore, log: SessionLog, session: SessionInfo): SessionRecord {
  const parent = session.parentID === undefined ? undefined : logs.get(session.parentID).record;
  checkNewSession(session, log.record?.session(), parent);
  const record = new SessionRecord(session, log.tombstone ?? 0);
  record.putSession(deepFreeze(session));
  return record;
}

interface PendingWrite {
  log: SessionLog;
  record: SessionRecord;
  batch: Batch;
  isCreated: boolean;
}

/** Judges the batch on the record, writes it to the file, and makes it a fact; or leaves all as it was. */
function write(store: OpenStore, { log, record, batch, isCreated }: PendingWrite): void {
  const { operations, lease } = batch;
  try {
    for (const operation of operations) applyOperation(record, operation);
    const seq = record.seq + 1;
    const json = JSON.stringify({ commit: operations, ...(lease !== undefined && { fence: lease.fence }) } satisfies CommitLine);
    const hasSession = operations.some(({ type }) => type === "session.put" || type === "session.create");
    const line: NewLine = { seq, json, session: hasSession ? "row" : undefined };
    log.append(isCreated ? [{ seq: record.seq, json: headerLine(record), session: "none" }, line] : [line], store.counter.next(), lease?.fence);
  } catch (error) {
    record.rollback();
    throw error;
  }
  record.commit();
}

/**
 * Leaves tombstones of the session and all that descend from it: the descendants first, so that a deletion that was cut
 * off can be repeated.
 */
function deleteSession(store: OpenStore, { sessionID, lease }: Batch): Committed {
  const { record, tombstone } = store.logs.get(sessionID);
  if (record === undefined) {
    if (tombstone === undefined) throw new SessionNotFoundError(sessionID);
    return { seq: tombstone, sessionIDs: [] };
  }
  if (lease !== undefined) store.leases.check(lease, record.rootID);
  const seq = record.seq + 1;
  const sessionIDs = [...descendantsOf(store, sessionID), sessionID];
  // Or else the owner could write on into a session that is created anew under the same id.
  if (record.id === record.rootID) store.leases.end(record.rootID);
  for (const id of sessionIDs) leaveTombstone(store, store.logs.get(id));
  return { seq, sessionIDs };
}

function leaveTombstone({ paths, counter, sync }: OpenStore, log: SessionLog): void {
  const { record } = log;
  if (record === undefined) return;
  // Twice: one damaged line must not bring the session back.
  const line: NewLine = { seq: record.seq + 1, json: deletedLine(record), session: "none" };
  log.replace([line, line], counter.next(), sync !== "never");
  for (const file of readdirSync(paths.archives)) if (file.startsWith(`${log.name}.`)) attempt(() => rmSync(join(paths.archives, file)));
}

/** The deepest first. */
function descendantsOf(store: OpenStore, sessionID: string): string[] {
  const sessions = store.list.all().flatMap((summary) => summary.session() ?? []);
  const below = (id: string): string[] => sessions.filter(({ parentID }) => parentID === id).flatMap((child) => [...below(child.id), child.id]);
  return below(sessionID);
}
