import type { SessionInfo } from "../../message/session-info.ts";
import type { Batch, Lease } from "../storage.ts";
import type { SqlValue } from "./connection.ts";
import type { KnownSession } from "./known-session.ts";
import { encodeLabel, encodeSession, type Reader } from "./stored-rows.ts";

// The session that changed last already keeps its place, and its entry in the index. What stands in the WHERE is the fence:
// the session is as it is known, and the batch's lease, if it has one, is in force. The answer tells of one message.
const claim = (assignments: string): string => `UPDATE session SET seq = seq + 1, ${assignments}
  changed = CASE WHEN changed = (SELECT max(changed) FROM session) THEN changed ELSE (SELECT max(changed) FROM session) + 1 END
  WHERE key = ?1 AND seq = ?2 AND deleted = 0 AND (?3 IS NULL OR EXISTS (SELECT 1 FROM lease WHERE root = rootID AND owner = ?3 AND fence = ?4))
  RETURNING EXISTS (SELECT 1 FROM message WHERE session = ?1 AND id = ?5)`;
const claimHead = claim("");
const claimRow = claim("stamp = seq + 1, directory = ?6, projectID = ?7, data = ?8,");

/**
 * Raises the session's seq for a batch, and puts its row if the batch does. It is one statement that also finds out whether
 * the batch may be written: handing it over to the driver costs more than what SQLite does with it.
 *
 * @returns false when somebody has written to the session, or taken the lease: nothing was written then
 */
export function claimSession({ connection }: Reader, known: KnownSession, { lease, operations }: Batch): boolean {
  const { session, messages } = known;
  if (lease !== undefined && lease.rootID !== session.rootID) return false;
  const newID = firstUnknown(known, operations);
  const row = putRow(known, operations);
  const values = [session.key, session.seq, ...fenceOf(lease), newID ?? null];
  const answer = row === undefined ? connection.first(claimHead, values) : connection.first(claimRow, [...values, ...rowValues(row)]);
  if (newID !== undefined && answer?.[0] === 0) messages.set(newID, undefined);
  return answer !== undefined;
}

function fenceOf(lease: Lease | undefined): SqlValue[] {
  return lease === undefined ? [null, null] : [lease.owner, lease.fence];
}

function rowValues(row: SessionInfo): SqlValue[] {
  return [encodeLabel(row.directory), encodeLabel(row.projectID), encodeSession(row)];
}

/** A message that the batch puts and that nobody has looked for. It is new, as a rule. */
function firstUnknown({ messages }: KnownSession, operations: Batch["operations"]): string | undefined {
  for (const operation of operations) {
    if ((operation.type === "message.put" || operation.type === "prompt.admit") && !messages.has(operation.message.id)) return operation.message.id;
  }
  return undefined;
}

/** The row that the session has after the batch. One that does not fit is refused later, by the rule that it breaks. */
function putRow({ session }: KnownSession, operations: Batch["operations"]): SessionInfo | undefined {
  let row: SessionInfo | undefined;
  for (const operation of operations) {
    if (operation.type !== "session.put" && operation.type !== "session.create") continue;
    if (operation.session.rootID === session.rootID && operation.session.parentID === session.parentID) row = operation.session;
  }
  return row;
}
