import { StorageError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { Watchers } from "../memory/watchers.ts";
import { DamageReports } from "../damage-reports.ts";
import type { Storage } from "../storage.ts";
import { findArtifact } from "./artifact-text.ts";
import { changePage } from "./change-feed.ts";
import { checkDatabase, type SqliteDatabase } from "./connection.ts";
import { readAsks, readInbox } from "./inbox.ts";
import { messagePage } from "./message-page.ts";
import { openDatabase } from "./open-database.ts";
import { OpenStore } from "./open-store.ts";
import { readSession, sessionPage } from "./session-page.ts";
import { sqliteSettings, type SqliteStorageOptions } from "./sqlite-options.ts";
import type { Reader } from "./stored-rows.ts";
import { untilUnlocked } from "./until-unlocked.ts";

/**
 * Keeps sessions in an SQLite database, which several processes of one machine may use at once.
 *
 * A path is opened with `node:sqlite` where there is one, else with the package `better-sqlite3` or `libsql`, at the first
 * call. A database that was open is used as it is, and not closed by `close()`; let nobody leave a transaction open on it.
 * The database is the store's own: give it a file of its own.
 *
 * Calls reject with `MissingPackageError` without any of those packages, with `StorageDamagedError` for a file that cannot
 * be read and with `StorageNewerError` for one of a newer version; both leave the file untouched.
 *
 * @param source a path, `:memory:`, or an open database of `node:sqlite`, `better-sqlite3`, `libsql` or `bun:sqlite`
 * @throws {InvalidArgumentError} a wrong source or option
 * @example
 * const agent = createAgent({ model, storage: sqliteStorage("sessions.db") })
 */
export function sqliteStorage(source: string | SqliteDatabase, options: SqliteStorageOptions = {}): Storage {
  const settings = sqliteSettings(options);
  if (typeof source !== "string") checkDatabase(source);
  const name = typeof source === "string" ? source : "the SQLite database";
  const watchers = new Watchers();
  const damage = new DamageReports();
  let opening: Promise<OpenStore> | undefined;
  let isClosed = false;

  const open = (): Promise<OpenStore> => {
    if (opening !== undefined) return opening;
    opening = untilUnlocked(() => openDatabase(source, settings), name, settings).then((database) => new OpenStore(database, settings, { watchers, damage }));
    // Whatever it was may be over at the next call.
    opening.catch(() => (opening = undefined));
    return opening;
  };
  const withStore = async <T>(use: (store: OpenStore) => T | Promise<T>): Promise<T> => {
    if (isClosed) throw new StorageError("This storage was closed.");
    const store = await open();
    return use(store);
  };
  const read = <T>(select: (reader: Reader) => T): Promise<T> =>
    withStore((store) => untilUnlocked(() => store.snapshot(select), store.database.store, settings));

  return {
    commit: (batch) => {
      // It may wait for a lock, and must not change meanwhile.
      deepFreeze(batch.operations);
      return withStore((store) => store.commit(batch));
    },
    getSession: (sessionID) => read((reader) => readSession(reader, sessionID)),
    listSessions: (query = {}) => read((reader) => sessionPage(reader, query)),
    listMessages: (sessionID, page = {}) => read((reader) => messagePage(reader, sessionID, page)),
    inbox: (sessionID) => read((reader) => readInbox(reader, sessionID)),
    listAsks: (query = {}) => read((reader) => readAsks(reader, query)),
    changes: (sessionID, query) => read((reader) => changePage(reader, sessionID, query)),
    getArtifact: (sessionID, artifactID, range = {}) => read((reader) => findArtifact(reader, sessionID, artifactID, range)),
    acquireLease: (rootID, owner, ttlMs) => withStore((store) => store.write(() => store.leases.acquire(rootID, owner, ttlMs))),
    releaseLease: (lease, condition = {}) => withStore((store) => store.write(() => store.leases.release(lease, condition.ifSeq))),
    watch: (sessionID, listener) =>
      withStore((store) => {
        const stops = [watchers.add(sessionID, listener), store.foreign.watch(sessionID)];
        return () => stops.forEach((stop) => stop());
      }),
    onDamage: (listener) => damage.add(listener),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      const store = await opening?.catch(() => undefined);
      watchers.clear();
      damage.clear();
      store?.close();
    },
  };
}
