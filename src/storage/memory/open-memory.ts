import { SessionNotFoundError, StorageError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import { commitBatch } from "./commit-batch.ts";
import { Leases } from "./leases.ts";
import { artifactOf, asksOf, changePage, inboxOf } from "./queries.ts";
import { messagePage } from "./message-page.ts";
import { sessionPage } from "./session-page.ts";
import { Sessions } from "./sessions.ts";
import { Watchers } from "./watchers.ts";
import type { Lease, Storage } from "../storage.ts";

/** A store that tells of commits. */
export type MemoryStore = Storage & Required<Pick<Storage, "watch">>;

/** The store behind `memoryStorage()`, empty. */
export function openMemory(clock: Clock): MemoryStore {
  const sessions = new Sessions();
  const leases = new Leases(clock);
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
    changes: (sessionID, query) => answer(() => changePage({ sessionID, record: sessions.find(sessionID), tombstone: sessions.tombstone(sessionID) }, query)),
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
