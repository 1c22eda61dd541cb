import { afterAll, describe, it, vi } from "vitest";
import { postgresStorage } from "../../../src/storage/postgres/index.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { storageConformance, type ConformanceStore } from "../../../src/testing/storage-conformance/index.ts";
import { databaseUnderTest, pgliteUnderTest, type DatabaseUnderTest } from "./postgres-under-test.ts";

// A machine that does other things too takes its time over each of hundreds of statements.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** One schema for all the tests of a database, emptied after each. */
function conformanceOn(database: DatabaseUnderTest): void {
  afterAll(() => database.end());
  const schema = database.newSchema();
  const client = database.connect();
  describe(`postgresStorage on ${database.name}`, () => {
    storageConformance({ describe, it }, async (): Promise<ConformanceStore> => {
      const clock = manualClock();
      const storage = postgresStorage(client, { schema, clock });
      return {
        storage,
        advance: clock.advance,
        reopen: async () => {
          await storage.close();
          return postgresStorage(client, { schema, clock });
        },
        dispose: () => database.empty(schema),
      };
    });
  });
}

const database = await databaseUnderTest();
conformanceOn(database);
if (database.isServer) conformanceOn(await pgliteUnderTest());
