import { afterAll, describe, expect, it, vi } from "vitest";
import { postgresStorage } from "../../../src/storage/postgres/index.ts";
import { ownNewSession } from "../../../src/testing/storage-conformance/owner.ts";
import { promptRow, sessionID, sessionRow } from "../../../src/testing/storage-conformance/rows.ts";
import { databaseUnderTest } from "./postgres-under-test.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const database = await databaseUnderTest();
afterAll(() => database.end());
const schema = database.newSchema();

/** A listener whose next call can be waited for. */
function heard(): { listener: () => void; next: () => Promise<void> } {
  let calls = 0;
  let seen = 0;
  let wake: () => void = () => undefined;
  return {
    listener: () => {
      calls += 1;
      wake();
    },
    next: async () => {
      while (calls === seen) await new Promise<void>((resolve) => (wake = resolve));
      seen = calls;
    },
  };
}

const admit = (id: string, session = sessionID) => ({ sessionID: session, operations: [{ type: "prompt.admit" as const, message: promptRow(id, { sessionID: session }), parts: [] }] });

describe(`watching on ${database.name}`, () => {
  it("hears the commits of another process", async () => {
    const [writer, watcher] = [postgresStorage(database.connect(), { schema }), postgresStorage(database.connect(), { schema })];
    await ownNewSession(writer);
    const { listener, next } = heard();
    await watcher.watch?.(sessionID, listener);
    await writer.commit(admit("msg_1"));
    await next();
    expect((await watcher.inbox(sessionID)).queued).toHaveLength(1);
    await watcher.close();
  });

  it("tells every watcher of a session whose id is too long to be said", async () => {
    const id = "ses_long_".repeat(300);
    const storage = postgresStorage(database.connect(), { schema });
    await storage.commit({ sessionID: id, operations: [{ type: "session.create", session: sessionRow(id) }] });
    const { listener, next } = heard();
    await storage.watch?.(id, listener);
    await storage.commit(admit("msg_1", id));
    await next();
    await storage.close();
  });

  it.skipIf(!database.isServer)("comes back after its connection has dropped, and tells everybody, as something may have been missed", async () => {
    const storage = postgresStorage(database.connect(), { schema });
    const { listener, next } = heard();
    await storage.watch?.(sessionID, listener);
    await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = $1`, [`LISTEN "${schema}"`]);
    await next();
    await storage.commit({ sessionID: "ses_2", operations: [{ type: "session.create", session: sessionRow("ses_2") }] });
    await storage.commit(admit("msg_2"));
    await next();
    await storage.close();
  });

  it.skipIf(!database.isServer)("holds no connection while nobody watches", async () => {
    const client = database.connect({ max: 1 });
    const storage = postgresStorage(client, { schema });
    const stop = await storage.watch?.(sessionID, () => undefined);
    stop?.();
    // The pool has one connection: this would wait for ever.
    expect((await storage.getSession(sessionID))?.id).toBe(sessionID);
  });

  it("is not offered where the driver cannot", () => {
    expect(postgresStorage({ query: () => Promise.resolve({ rows: [] }) }).watch).toBeUndefined();
  });

  it("closing ends it, and leaves the client as it is", async () => {
    const client = database.connect({ max: 1 });
    const storage = postgresStorage(client, { schema });
    await storage.watch?.(sessionID, () => undefined);
    await storage.close();
    expect((await client.query("SELECT 1 AS one", [])).rows).toEqual([{ one: 1 }]);
  });
});
