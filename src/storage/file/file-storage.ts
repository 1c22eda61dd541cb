import { resolve } from "node:path";
import { InvalidArgumentError, SessionNotFoundError } from "../../errors.ts";
import { checkOptions } from "../../util/check-options.ts";
import { checkClock, type Clock } from "../../util/clock.ts";
import { checkBatch } from "../check-batch.ts";
import { messagePage } from "../memory/message-page.ts";
import { artifactOf, asksOf, changePage, inboxOf } from "../memory/queries.ts";
import { sessionPage } from "../memory/session-page.ts";
import type { SessionRecord } from "../memory/session-record.ts";
import type { Batch, Lease, Storage } from "../storage.ts";
import { commitBatch } from "./commit-batch.ts";
import { flushFile } from "./durable-file.ts";
import { fileNameOf } from "./file-name.ts";
import { findAsks } from "./find-asks.ts";
import type { OpenStore } from "./open-store.ts";
import { isSynced, type SyncPolicy } from "./sync-policy.ts";
import { useStore, type StoreInUse } from "./use-store.ts";

export interface FileStorageOptions {
  /** Decides when a lease has expired; shared by all processes, so it must be the wall clock of one machine or of synchronised ones. Default: the machine's. */
  clock?: Clock | undefined;
  /**
   * Which commits are made to survive a power loss (fsync) before they count as written; a crash of the process alone
   * loses nothing. `"step"`: those that something outside relies on (an accepted prompt, a finished message, a tool call
   * that is about to run or has run), `"always"`: each, `"never"`: none. Default `"step"`.
   */
  sync?: SyncPolicy | undefined;
}

/**
 * Keeps sessions in a directory: a file of JSON lines for each, to which commits are added. Several processes of one
 * machine may use it at once. Needs nothing but a file system; for many sessions, or many processes, a database serves
 * better.
 *
 * @param directory is made when it is missing, with the first use
 * @throws {InvalidArgumentError} `directory` is empty, or an option has no such value
 * @example
 * const agent = createAgent({ model, storage: fileStorage("./sessions") })
 */
export function fileStorage(directory: string, options: FileStorageOptions = {}): Storage {
  checkArguments(directory, options);
  const { answer, damage, close } = useStore(resolve(directory), options);
  return {
    commit: (batch) => answer((use) => commit(use, batch)),
    getSession: (sessionID) => answer(({ store }) => store.logs.get(sessionID).record?.session()),
    listSessions: (query = {}) => answer(({ store }) => sessionPage(store.list.all(), query)),
    listMessages: (sessionID, page = {}) => answer(({ store }) => messagePage(recordOf(store, sessionID), page)),
    inbox: (sessionID) => answer(({ store }) => inboxOf(recordOf(store, sessionID))),
    listAsks: (query = {}) => answer(({ store }) => findAsks(store, query).flatMap((record) => asksOf(record, query))),
    changes: (sessionID, query) =>
      answer(({ store }) => {
        const { record, tombstone } = store.logs.get(sessionID);
        return changePage({ sessionID, record, tombstone }, query);
      }),
    getArtifact: (sessionID, artifactID, range = {}) =>
      answer(({ store }) => artifactOf(store.logs.get(sessionID).record, artifactID, range)),
    acquireLease: (rootID, owner, ttlMs) => answer(({ store }) => acquireLease(store, { rootID, owner, ttlMs })),
    releaseLease: (lease, condition = {}) =>
      answer(({ store }) => store.lock.run(() => releaseLease(store, lease, condition.ifSeq))),
    watch: (sessionID, listener) => answer(({ commits }) => commits.add(sessionID, listener)),
    onDamage: (listener) => damage.add(listener),
    close,
  };
}

function checkArguments(directory: string, options: FileStorageOptions): void {
  if (typeof directory !== "string" || directory === "") throw new InvalidArgumentError("fileStorage.directory", "must be the path of a directory.");
  checkOptions<FileStorageOptions>("fileStorage", options, {
    clock: checkClock,
    sync: (value, argument) => {
      if (value !== "step" && value !== "always" && value !== "never") throw new InvalidArgumentError(argument, `must be "step", "always" or "never", not ${JSON.stringify(value)}.`);
    },
  });
}

async function commit({ store, commits }: StoreInUse, batch: Batch): Promise<{ seq: number }> {
  checkBatch(batch);
  const { seq, sessionIDs, file } = await store.lock.run(() => commitBatch(store, batch));
  try {
    if (file !== undefined && isSynced(store.sync, batch.operations)) await flushFile(file.path, file.isNew);
  } finally {
    // Written it is, and others can read it, whether or not it would survive a power loss.
    for (const sessionID of sessionIDs) commits.notify(sessionID);
  }
  return { seq };
}

async function acquireLease(
  store: OpenStore,
  { rootID, owner, ttlMs }: { rootID: string; owner: string; ttlMs: number },
): Promise<Lease | undefined> {
  const lease = await store.lock.run(() => {
    const log = store.logs.get(rootID);
    if (log.record === undefined || log.record.rootID !== rootID) throw new SessionNotFoundError(rootID);
    const taken = store.leases.acquire(rootID, { owner, ttlMs, leastFence: log.fence });
    return taken === undefined ? undefined : { ...taken, seq: log.record.seq };
  });
  if (lease !== undefined && store.sync !== "never") await flushFile(store.paths.lease(fileNameOf(rootID)), true);
  return lease;
}

function releaseLease({ leases, logs }: OpenStore, lease: Lease, ifSeq: number | undefined): boolean {
  if (!leases.isInForce(lease, lease.rootID)) return false;
  if (ifSeq !== undefined && logs.get(lease.rootID).record?.seq !== ifSeq) return false;
  leases.end(lease.rootID);
  return true;
}

function recordOf(store: OpenStore, sessionID: string): SessionRecord {
  const { record } = store.logs.get(sessionID);
  if (record === undefined) throw new SessionNotFoundError(sessionID);
  return record;
}
