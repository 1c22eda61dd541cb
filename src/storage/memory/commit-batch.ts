import { SessionNotFoundError } from "../../errors.ts";
import { checkBatch } from "../check-batch.ts";
import type { Batch } from "../storage.ts";
import { applyOperation } from "../operations/apply-operation.ts";
import type { Leases } from "./leases.ts";
import type { SessionRecord } from "./session-record.ts";
import type { Sessions } from "./sessions.ts";
import type { Watchers } from "./watchers.ts";

export interface CommitTarget {
  sessions: Sessions;
  leases: Leases;
  watchers: Watchers;
}

/** Writes a batch whole or not at all. Returns the session's new `seq`. */
export function commitBatch(target: CommitTarget, batch: Batch): { seq: number } {
  checkBatch(batch);
  const [first] = batch.operations;
  if (first?.type === "session.delete") return deleteSession(target, batch);
  const record = first?.type === "session.create" ? target.sessions.prepare(first.session) : target.sessions.get(batch.sessionID);
  if (batch.lease !== undefined) target.leases.check(batch.lease, record.rootID);
  applyAll(record, batch);
  record.commit();
  target.sessions.note(record);
  target.watchers.notify(record.id);
  return { seq: record.seq };
}

function applyAll(record: SessionRecord, batch: Batch): void {
  try {
    for (const operation of batch.operations) applyOperation(record, operation);
  } catch (error) {
    record.rollback();
    throw error;
  }
}

function deleteSession({ sessions, leases, watchers }: CommitTarget, { sessionID, lease }: Batch): { seq: number } {
  const record = sessions.find(sessionID);
  const seq = record === undefined ? sessions.tombstone(sessionID) : record.seq + 1;
  if (seq === undefined) throw new SessionNotFoundError(sessionID);
  if (record === undefined) return { seq };
  if (lease !== undefined) leases.check(lease, record.rootID);
  const deleted = sessions.delete(record);
  // Or else the owner could write on into a session that is created anew under the same id.
  if (record.id === record.rootID) leases.end(record.rootID);
  for (const deletedID of deleted) watchers.notify(deletedID);
  return { seq };
}
