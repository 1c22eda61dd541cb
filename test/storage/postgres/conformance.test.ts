import { afterAll, describe, it, vi } from "vitest";
import { postgresStorage } from "../../../src/storage/postgres/index.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { storageConformance, type ConformanceStore } from "../../../src/testing/storage-conformance/index.ts";
import { databaseUnderTest, pgliteUnderTest, type DatabaseUnderTest } from "./postgres-under-test.ts";

// A machine that does other things too takes its time over each of hundreds of statements.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** One schema for all the tests of a database, emptied before each: also after one that ran out of time. */
function conformanceOn(database: DatabaseUnderTest): void {
  afterAll(() => database.end());
  const schema = database.newSchema();
  const client = database.connect();
  describe(`postgresStorage on ${database.name}`, () => {
    storageConformance({ describe, it }, async (): Promise<ConformanceStore> => {
      const clock = manualClock();
      const storage = postgresStorage(client, { schema, clock });
      await storage.listSessions();
      await database.empty(schema);
      return {
        storage,
        advance: clock.advance,
        reopen: async () => {
          await storage.close();
          return postgresStorage(client, { schema, clock });
        },
        damage: async (sessionID) => {
          await storage.close();
          // The first half of a record, as a page that was not written to its end leaves it.
          await database.query(`UPDATE "${schema}".message SET data = left(data, length(data) / 2) WHERE session_id = $1`, [sessionID]);
          return postgresStorage(client, { schema, clock });
        },
      };
    });
  });
}

const database = await databaseUnderTest();
conformanceOn(database);
if (database.isServer) conformanceOn(await pgliteUnderTest());
