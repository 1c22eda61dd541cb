import { ConflictError, StorageError, ThroughlineError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { withDeadline } from "../util/with-deadline.ts";
import type { Storage } from "./storage.ts";
import { errorMessage } from "../util/error-message.ts";

/** Waits before a failed request is put again. */
const retryDelaysMs = [20, 100, 500];

interface PatienceOptions {
  clock: Clock;
  /** Longest wait for one answer, in milliseconds. */
  storageMs: number;
}

/**
 * The host's storage as the engine uses it: no answer is waited for without end, and a request that fails is put again,
 * as a busy or unreachable store often works a moment later. That is safe: every batch may be repeated. The store's own
 * verdicts (a conflict, a lost lease) are final; any other failure becomes a `StorageError`.
 */
export function patientStorage(storage: Storage, options: PatienceOptions): Storage {
  const reach = <T>(request: () => Promise<T>): Promise<T> => reachStorage(request, options);
  const patient: Storage = {
    commit: (batch) => reach(() => storage.commit(batch)),
    getSession: (sessionID) => reach(() => storage.getSession(sessionID)),
    listSessions: (query) => reach(() => storage.listSessions(query)),
    listMessages: (sessionID, query) => reach(() => storage.listMessages(sessionID, query)),
    inbox: (sessionID) => reach(() => storage.inbox(sessionID)),
    listAsks: (query) => reach(() => storage.listAsks(query)),
    changes: (sessionID, query) => reach(() => storage.changes(sessionID, query)),
    getArtifact: (sessionID, id, range) => reach(() => storage.getArtifact(sessionID, id, range)),
    acquireLease: (rootID, owner, ttlMs) => reach(() => storage.acquireLease(rootID, owner, ttlMs)),
    releaseLease: (lease, guard) => reach(() => storage.releaseLease(lease, guard)),
    close: () => storage.close(),
  };
  const watch = storage.watch?.bind(storage);
  if (watch !== undefined) patient.watch = (sessionID, listener) => reach(() => watch(sessionID, listener));
  const onDamage = storage.onDamage?.bind(storage);
  if (onDamage !== undefined) patient.onDamage = onDamage;
  return patient;
}

async function reachStorage<T>(request: () => Promise<T>, { clock, storageMs }: PatienceOptions): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await withDeadline(request(), clock, storageMs, () => new StorageError(`The storage did not answer within ${storageMs} ms.`));
    } catch (error) {
      if (ThroughlineError.isInstance(error) && error.code !== "storage") {
        if (error instanceof ConflictError) error.isOfRepetition = attempt > 0;
        throw error;
      }
      const delayMs = retryDelaysMs[attempt];
      if (delayMs === undefined) throw asStorageError(error);
      await new Promise<void>((resolve) => clock.setTimeout(resolve, delayMs));
    }
  }
}

function asStorageError(error: unknown): ThroughlineError {
  return ThroughlineError.isInstance(error) ? error : new StorageError(`The storage failed: ${errorMessage(error)}`, error);
}
