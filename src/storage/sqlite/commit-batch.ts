import { LeaseLostError, SessionNotFoundError } from "../../errors.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { applyOperation } from "../operations/apply-operation.ts";
import { isInForce } from "../operations/lease-rules.ts";
import { checkNewSession } from "../operations/new-session.ts";
import type { Batch, Lease } from "../storage.ts";
import { BatchSession } from "./batch-session.ts";
import type { SessionHead } from "./batch-target.ts";
import { claimSession } from "./claim-session.ts";
import type { KnownSession, KnownSessions } from "./known-session.ts";
import { deleteSession } from "./delete-session.ts";
import { encodeSession, sessionColumns, sessionOf, type Reader } from "./stored-rows.ts";

/** What a commit came to. */
export interface Committed {
  seq: number;
  /** The sessions that it changed. */
  changed: readonly string[];
  /** What it leaves known for the next one, once it is committed. */
  known?: KnownSession;
}

/** A session with who may write to its tree, in one look. */
interface HeldSession extends SessionHead {
  isDeleted: boolean;
  owner: string | undefined;
  fence: number;
}

/** Writes a batch, inside a transaction that ends with it when it throws. */
export function commitBatch(reader: Reader, knownSessions: KnownSessions, batch: Batch): Committed {
  const { sessionID, lease, operations } = batch;
  if (operations[0]?.type === "session.delete") return deleteFound(reader, sessionID, findSession(reader, sessionID), lease);
  const known = knownSessions.find(batch);
  const session = known !== undefined && claimSession(reader, known, batch) ? known : claimFound(reader, batch);
  const target = new BatchSession(reader, session);
  for (const operation of operations) applyOperation(target, operation);
  return { seq: target.seq, changed: [sessionID], known: target.finish() };
}

function claimFound(reader: Reader, batch: Batch): KnownSession {
  const { sessionID, lease, operations } = batch;
  const [first] = operations;
  const found = findSession(reader, sessionID);
  const session = first?.type === "session.create" ? createSession(reader, first.session, found) : found;
  if (session === undefined || session.isDeleted) throw new SessionNotFoundError(sessionID);
  checkLease(session, lease);
  const known: KnownSession = { session, messages: new Map(), lastPosition: undefined };
  if (!claimSession(reader, known, batch)) throw new Error(`Session "${sessionID}" cannot be written, though its row is there and its lease in force.`);
  return known;
}

const selectHeld = `SELECT s.key, s.parentID, s.rootID, s.seq, s.tombstones, s.floor, s.deleted, l.owner, l.fence
  FROM session s LEFT JOIN lease l ON l.root = s.rootID WHERE s.id = ?`;

function findSession({ connection }: Reader, sessionID: string): HeldSession | undefined {
  const row = connection.first(selectHeld, [sessionID]);
  if (row === undefined) return undefined;
  const [key, parentID, rootID, seq, tombstones, floor, deleted, owner, fence] = row;
  return {
    key: Number(key),
    id: sessionID,
    parentID: typeof parentID === "string" ? parentID : undefined,
    rootID: String(rootID),
    seq: Number(seq),
    tombstones: Number(tombstones),
    floor: Number(floor),
    isDeleted: deleted !== 0,
    owner: typeof owner === "string" ? owner : undefined,
    fence: Number(fence),
  };
}

function checkLease(session: HeldSession, lease: Lease | undefined): void {
  const { owner, fence, rootID } = session;
  if (lease !== undefined && !isInForce({ owner, fence, deadline: 0 }, lease, rootID)) throw new LeaseLostError(rootID);
}

function deleteFound(reader: Reader, sessionID: string, session: HeldSession | undefined, lease: Lease | undefined): Committed {
  if (session === undefined) throw new SessionNotFoundError(sessionID);
  if (session.isDeleted) return { seq: session.seq, changed: [] };
  checkLease(session, lease);
  return { seq: session.seq + 1, changed: deleteSession(reader, session) };
}

/** A new row, or that of a deleted session again: its seq goes on. */
function createSession(reader: Reader, session: SessionInfo, found: HeldSession | undefined): HeldSession {
  const { connection } = reader;
  const existing = found === undefined || found.isDeleted ? undefined : readSession(reader, found.key);
  const parent = session.parentID === undefined ? undefined : findSession(reader, session.parentID);
  checkNewSession(session, existing, parent?.isDeleted === false ? parent : undefined);
  const values = [session.parentID ?? null, session.rootID, encodeSession(session)];
  if (found === undefined) {
    connection.insert(
      `INSERT INTO session (parentID, rootID, data, id, seq, stamp, floor, changed)
       VALUES (?, ?, ?, ?, 0, 0, 0, (SELECT coalesce(max(changed), 0) + 1 FROM session))`,
      [...values, session.id],
    );
  } else {
    connection.run("UPDATE session SET parentID = ?, rootID = ?, data = ?, deleted = 0, tombstones = 0, floor = seq WHERE key = ?", [...values, found.key]);
  }
  const created = findSession(reader, session.id);
  if (created === undefined) throw new SessionNotFoundError(session.id);
  return created;
}

function readSession(reader: Reader, key: number): SessionInfo | undefined {
  const row = reader.connection.first(`SELECT ${sessionColumns} FROM session s WHERE s.key = ?`, [key]);
  return row === undefined ? undefined : sessionOf(reader, row);
}
