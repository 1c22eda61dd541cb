import { checkOptions } from "../util/check-options.ts";
import type { Clock } from "../util/clock.ts";
import { checkClock, systemClock } from "../util/clock.ts";
import type { MemoryStore } from "./memory/open-memory.ts";
import type { Storage } from "./storage.ts";

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
  const clock = options.clock ?? systemClock();
  let opened: MemoryStore | undefined;
  let opening: Promise<MemoryStore> | undefined;

  /** Comes with the first call: a host that keeps its sessions elsewhere never loads it. Calls stay in their order. */
  function open(): Promise<MemoryStore> {
    if (opening === undefined) {
      opening = import("./memory/open-memory.ts").then(({ openMemory }) => openMemory(clock));
      // Runs before the calls that wait, so that a later one cannot overtake them.
      opening.then(
        (storage) => (opened = storage),
        () => undefined,
      );
    }
    return opening;
  }

  const use = <T>(call: (storage: MemoryStore) => Promise<T>): Promise<T> => (opened === undefined ? open().then(call) : call(opened));

  return {
    commit: (batch) => use((storage) => storage.commit(batch)),
    getSession: (sessionID) => use((storage) => storage.getSession(sessionID)),
    listSessions: (query) => use((storage) => storage.listSessions(query)),
    listMessages: (sessionID, page) => use((storage) => storage.listMessages(sessionID, page)),
    inbox: (sessionID) => use((storage) => storage.inbox(sessionID)),
    listAsks: (query) => use((storage) => storage.listAsks(query)),
    changes: (sessionID, query) => use((storage) => storage.changes(sessionID, query)),
    getArtifact: (sessionID, artifactID, range) => use((storage) => storage.getArtifact(sessionID, artifactID, range)),
    acquireLease: (rootID, owner, ttlMs) => use((storage) => storage.acquireLease(rootID, owner, ttlMs)),
    releaseLease: (lease, condition) => use((storage) => storage.releaseLease(lease, condition)),
    watch: (sessionID, listener) => use((storage) => storage.watch(sessionID, listener)),
    close: () => use((storage) => storage.close()),
  };
}
