import { InvalidArgumentError, SessionNotFoundError, StorageError } from "../errors.ts";
import type { Ask } from "../message/ask.ts";
import { checkOptions } from "../util/check-options.ts";
import type { Clock } from "../util/clock.ts";
import { checkClock, systemClock } from "../util/clock.ts";
import { commitBatch } from "./memory/commit-batch.ts";
import { Leases } from "./memory/leases.ts";
import { messagePage } from "./memory/message-page.ts";
import { sessionPage } from "./memory/session-page.ts";
import type { SessionRecord } from "./memory/session-record.ts";
import { Sessions } from "./memory/sessions.ts";
import { Watchers } from "./memory/watchers.ts";
import { pageLimit } from "./page-limit.ts";
import type { Artifact, ChangePage, Inbox, Lease, Storage } from "./storage.ts";

/**
 * Keeps sessions in this process, and loses them with it: the default store, for tests and for short-lived agents.
 *
 * Rows are not copied but frozen when they are put, and handed out frozen: give them up, and make a new one to change one.
 *
 * @param options.clock decides when a lease has expired. Default: the machine's.
 * @throws {InvalidArgumentError} an unknown option, or a clock that is none
 * @example
 * const agent = createAgent({ model, storage: memoryStorage() })
 */
export function memoryStorage(options: { clock?: Clock | undefined } = {}): Storage {
  checkOptions("memoryStorage.options", options, { clock: checkClock });
  const sessions = new Sessions();
  const leases = new Leases(options.clock ?? systemClock());
  const watchers = new Watchers();
  let closed = false;

  /** What `action` throws becomes a rejection, as every call of a store answers with a promise. */
  const answer = <T>(action: () => T): Promise<T> =>
    new Promise((resolve) => {
      if (closed) throw new StorageError("This storage was closed.");
      resolve(action());
    });

  return {
    commit: (batch) => answer(() => commitBatch({ sessions, leases, watchers }, batch)),
    getSession: (sessionID) => answer(() => sessions.find(sessionID)?.session()),
    listSessions: (query = {}) => answer(() => sessionPage(sessions.all(), query)),
    listMessages: (sessionID, page = {}) => answer(() => messagePage(sessions.get(sessionID), page)),
    inbox: (sessionID) => answer(() => inboxOf(sessions.get(sessionID))),
    listAsks: (query = {}) => answer(() => [...sessions.all()].flatMap((record) => asksOf(record, query))),
    changes: (sessionID, query) => answer(() => changesOf(sessions, sessionID, query)),
    getArtifact: (sessionID, artifactID, range = {}) => answer(() => artifactOf(sessions.find(sessionID), artifactID, range)),
    acquireLease: (rootID, owner, ttlMs) => answer(() => acquireLease(sessions, leases, { rootID, owner, ttlMs })),
    releaseLease: (lease, condition = {}) => answer(() => releaseLease(sessions, leases, lease, condition.ifSeq)),
    watch: (sessionID, listener) => answer(() => watchers.add(sessionID, listener)),
    close: () => {
      closed = true;
      watchers.clear();
      return Promise.resolve();
    },
  };
}

function inboxOf(record: SessionRecord): Inbox {
  return {
    seq: record.seq,
    queued: record.queuedPrompts(),
    asks: [...record.asks.rows()].filter((ask) => ask.status !== "closed"),
    aborts: [...record.aborts.rows()],
  };
}

function asksOf(record: SessionRecord, query: { rootID?: string | undefined; status?: Ask["status"] | undefined }): Ask[] {
  if (query.rootID !== undefined && query.rootID !== record.rootID) return [];
  return [...record.asks.rows()].filter((ask) => query.status === undefined || ask.status === query.status);
}

function changesOf(sessions: Sessions, sessionID: string, query: { after: number; limit?: number | undefined }): ChangePage {
  const { after } = query;
  if (!Number.isInteger(after) || after < 0)
    throw new InvalidArgumentError("changes.after", `must be a seq (a whole number from 0 on), not ${after}.`);
  const limit = pageLimit(query.limit, 500, "changes.limit");
  const record = sessions.find(sessionID);
  if (record !== undefined) return record.log.read(record.seq, after, limit);
  const seq = sessions.tombstone(sessionID);
  if (seq === undefined) throw new SessionNotFoundError(sessionID);
  if (after > seq) return { changes: [], seq, more: false, reset: true };
  return { changes: after === seq ? [] : [{ seq, type: "session.deleted", sessionID }], seq, more: false };
}

function artifactOf(
  record: SessionRecord | undefined,
  artifactID: string,
  { offset = 0, limit = Infinity }: { offset?: number | undefined; limit?: number | undefined },
): Artifact | undefined {
  const artifact = record?.artifacts.get(artifactID);
  if (artifact === undefined || (offset === 0 && limit >= artifact.size)) return artifact;
  return { ...artifact, text: artifact.text.slice(offset, offset + limit) };
}

function acquireLease(
  sessions: Sessions,
  leases: Leases,
  { rootID, owner, ttlMs }: { rootID: string; owner: string; ttlMs: number },
): Lease | undefined {
  const root = sessions.get(rootID);
  if (root.rootID !== rootID) throw new SessionNotFoundError(rootID);
  const lease = leases.acquire(rootID, owner, ttlMs);
  return lease === undefined ? undefined : { ...lease, seq: root.seq };
}

function releaseLease(sessions: Sessions, leases: Leases, lease: Lease, ifSeq: number | undefined): boolean {
  if (!leases.isInForce(lease, lease.rootID)) return false;
  if (ifSeq !== undefined && sessions.find(lease.rootID)?.seq !== ifSeq) return false;
  leases.end(lease.rootID);
  return true;
}
