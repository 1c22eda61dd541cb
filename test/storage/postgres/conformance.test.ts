import { afterAll, describe, it } from "vitest";
import { postgresStorage } from "../../../src/storage/postgres/index.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { storageConformance, type ConformanceStore } from "../../../src/testing/storage-conformance/index.ts";
import { databaseUnderTest, pgliteUnderTest, type DatabaseUnderTest } from "./postgres-under-test.ts";

async function conformanceStore(database: DatabaseUnderTest, client = database.connect()): Promise<ConformanceStore> {
  const clock = manualClock();
  const schema = database.newSchema();
  const storage = postgresStorage(client, { schema, clock });
  return {
    storage,
    advance: clock.advance,
    reopen: async () => {
      await storage.close();
      return postgresStorage(client, { schema, clock });
    },
    dispose: async () => {
      await database.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    },
  };
}

const database = await databaseUnderTest();
const client = database.connect();
afterAll(() => database.end());

describe(`postgresStorage on ${database.name}`, () => {
  storageConformance({ describe, it }, () => conformanceStore(database, client));
});

if (database.isServer) {
  const pglite = await pgliteUnderTest();
  afterAll(() => pglite.end());
  describe("postgresStorage on PGlite", () => {
    storageConformance({ describe, it }, () => conformanceStore(pglite));
  });
}
