import type { Batch, Storage } from "../storage/storage.ts";

/** What a storage is asked for. `close` and `onDamage` are not among them: they are the host's. */
export type StorageMethod = Exclude<keyof Storage, "close" | "onDamage">;

/** One request to a storage. */
export interface StorageRequest {
  readonly method: StorageMethod;
  /** How many requests of this method there were, this one included: from 1. */
  readonly count: number;
  /** Of a `commit`. */
  readonly batch?: Batch | undefined;
}

/** Stands between a storage and its user: answers in the storage's place, or with what `next` brings. */
export type StorageInterceptor = <Answer>(request: StorageRequest, next: () => Promise<Answer>) => Promise<Answer>;

/** The storage, with somebody between it and its user. */
export function interceptStorage(storage: Storage, intercept: StorageInterceptor): Storage {
  const counts = new Map<StorageMethod, number>();
  const ask = <Answer>(method: StorageMethod, next: () => Promise<Answer>, batch?: Batch): Promise<Answer> => {
    const count = (counts.get(method) ?? 0) + 1;
    counts.set(method, count);
    return intercept({ method, count, ...(batch !== undefined && { batch }) }, next);
  };
  const intercepted: Storage = {
    commit: (batch) => ask("commit", () => storage.commit(batch), batch),
    getSession: (sessionID) => ask("getSession", () => storage.getSession(sessionID)),
    listSessions: (query) => ask("listSessions", () => storage.listSessions(query)),
    listMessages: (sessionID, page) => ask("listMessages", () => storage.listMessages(sessionID, page)),
    inbox: (sessionID) => ask("inbox", () => storage.inbox(sessionID)),
    listAsks: (query) => ask("listAsks", () => storage.listAsks(query)),
    changes: (sessionID, query) => ask("changes", () => storage.changes(sessionID, query)),
    getArtifact: (sessionID, artifactID, range) => ask("getArtifact", () => storage.getArtifact(sessionID, artifactID, range)),
    acquireLease: (rootID, owner, ttlMs) => ask("acquireLease", () => storage.acquireLease(rootID, owner, ttlMs)),
    releaseLease: (lease, condition) => ask("releaseLease", () => storage.releaseLease(lease, condition)),
    close: () => storage.close(),
  };
  const watch = storage.watch?.bind(storage);
  if (watch !== undefined) intercepted.watch = (sessionID, listener) => ask("watch", () => watch(sessionID, listener));
  const onDamage = storage.onDamage?.bind(storage);
  if (onDamage !== undefined) intercepted.onDamage = onDamage;
  return intercepted;
}

/** The answer of what hangs, or is gone. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
