import { SessionNotFoundError, StorageError } from "../errors.ts";
import { checkOptions } from "../util/check-options.ts";
import type { Clock } from "../util/clock.ts";
import { checkClock, systemClock } from "../util/clock.ts";
import { commitBatch } from "./memory/commit-batch.ts";
import { Leases } from "./memory/leases.ts";
import { artifactOf, asksOf, changePage, inboxOf } from "./memory/queries.ts";
import { messagePage } from "./memory/message-page.ts";
import { sessionPage } from "./memory/session-page.ts";
import { Sessions } from "./memory/sessions.ts";
import { Watchers } from "./memory/watchers.ts";
import type { Lease, Storage } from "./storage.ts";

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
