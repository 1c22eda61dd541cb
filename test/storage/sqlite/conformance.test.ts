import { describe, it } from "vitest";
import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { storageConformance } from "../../../src/testing/storage-conformance/index.ts";
import { driverName, rawConnection, temporaryFolder } from "./temporary-store.ts";

describe(`sqliteStorage with ${driverName}`, () => {
  storageConformance({ describe, it }, () => {
    const clock = manualClock();
    const folder = temporaryFolder();
    const path = folder.path("store.db");
    const storage = sqliteStorage(path, { clock });
    return Promise.resolve({
      storage,
      advance: clock.advance,
      reopen: async () => {
        await storage.close();
        return sqliteStorage(path, { clock });
      },
      damage: async (sessionID) => {
        await storage.close();
        const raw = rawConnection(path);
        // The first half of a row, as a page that was not written to its end leaves it.
        raw.run("UPDATE message SET data = substr(data, 1, length(data) / 2) WHERE session = (SELECT key FROM session WHERE id = ?)", [sessionID]);
        raw.close();
        return sqliteStorage(path, { clock });
      },
      dispose: async () => {
        folder[Symbol.dispose]();
      },
    });
  });
});
