import { checkOptions, text } from "../../util/check-options.ts";
import { checkClock, systemClock, type Clock } from "../../util/clock.ts";
import type { Storage } from "../storage.ts";
import { commitBatch } from "./commit-batch.ts";
import { DamageReports } from "../damage-reports.ts";
import { Database } from "./database.ts";
import { acquireLease, releaseLease } from "./leases.ts";
import { listAsks } from "./list-asks.ts";
import { listMessages } from "./list-messages.ts";
import { getSession, listSessions } from "./list-sessions.ts";
import { listenOf } from "./listen.ts";
import type { PostgresClient } from "./postgres-client.ts";
import { readArtifact } from "./read-artifact.ts";
import { readChanges } from "./read-changes.ts";
import { readInbox } from "./read-inbox.ts";
import { RowReader } from "./row-reader.ts";
import { checkSchemaName } from "./schema-name.ts";
import { WatchList } from "./watch-list.ts";
import { WriteTurns } from "./write-turns.ts";

export interface PostgresStorageOptions {
  /** The schema that the tables are in, made on first use. Default: `throughline`. */
  schema?: string | undefined;
  /** Decides when a lease is over, in place of the server's clock, and times repeated attempts. For tests. */
  clock?: Clock | undefined;
}

/**
 * Keeps sessions in PostgreSQL (13 or newer), for any number of processes.
 *
 * Each commit is one statement, so a pool does. With a `Pool` of `pg`, or PGlite, commits of other processes are heard by
 * `LISTEN`, on one more connection while anybody watches; with other clients the engine asks from time to time.
 * `close()` does not end a client: it is the host's.
 *
 * @param client a `Pool` or `Client` of `pg`, PGlite, or anything with their `query(text, values)`
 * @throws {InvalidArgumentError} the schema's name is none. Everything else shows with the first call: `StorageNewerError` when
 * the schema was written by a newer version, `StorageError` when the database does not answer
 * @example
 * const pool = new pg.Pool({ connectionString })
 * const agent = createAgent({ model, storage: postgresStorage(pool) })
 */
export function postgresStorage(client: PostgresClient, options: PostgresStorageOptions = {}): Storage {
  checkOptions<PostgresStorageOptions>("postgresStorage", options, { schema: text, clock: checkClock });
  const { schema = "throughline", clock: leaseClock } = options;
  checkSchemaName(schema);
  const clock = leaseClock ?? systemClock();
  const database = new Database(client, schema);
  const damage = new DamageReports();
  const reader = new RowReader(schema, damage);
  const turns = new WriteTurns(clock);
  const listen = listenOf(client);
  const watchList = listen === undefined ? undefined : new WatchList(listen, schema, clock);

  const storage: Storage = {
    commit: async (batch) => commitBatch({ database, reader, clock, turns }, batch),
    getSession: async (sessionID) => getSession(database, reader, sessionID),
    listSessions: async (query = {}) => listSessions(database, reader, query),
    listMessages: async (sessionID, page = {}) => listMessages(database, reader, sessionID, page),
    inbox: async (sessionID) => readInbox(database, reader, sessionID),
    listAsks: async (query = {}) => listAsks(database, reader, query),
    changes: async (sessionID, query) => readChanges(database, reader, sessionID, query),
    getArtifact: async (sessionID, artifactID, range = {}) => readArtifact(database, reader, { sessionID, artifactID }, range),
    acquireLease: async (rootID, owner, ttlMs) => acquireLease({ database, clock, leaseClock }, { rootID, owner, ttlMs }),
    releaseLease: async (lease, condition = {}) => releaseLease({ database, clock }, lease, condition.ifSeq),
    onDamage: (listener) => damage.add(listener),
    close: async () => {
      database.close();
      damage.clear();
      await watchList?.close();
    },
  };
  if (watchList !== undefined) {
    storage.watch = async (sessionID, listener) => {
      database.checkOpen();
      return watchList.add(sessionID, listener);
    };
  }
  return storage;
}
