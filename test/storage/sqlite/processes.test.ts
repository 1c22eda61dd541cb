import { once } from "node:events";
import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { StorageError } from "../../../src/errors.ts";
import { thisProcess } from "../../../src/storage/local/process-identity.ts";
import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { commitUnleased, ownNewSession, ownSession } from "../../../src/testing/storage-conformance/owner.ts";
import { promptRow, sessionID, sessionRow } from "../../../src/testing/storage-conformance/rows.ts";
import { driverName, rawConnection, temporaryFolder } from "./temporary-store.ts";

const admit = (id: string) => ({ type: "prompt.admit" as const, message: promptRow(id), parts: [] });

describe(`several connections, with ${driverName}`, () => {
  it("two stores on one file see each other's commits, and count on", async () => {
    using folder = temporaryFolder();
    const [first, second] = [sqliteStorage(folder.path("store.db")), sqliteStorage(folder.path("store.db"))];
    await ownNewSession(first);
    const seqs = await Promise.all(
      Array.from({ length: 40 }, (_, index) => commitUnleased(index % 2 === 0 ? first : second, admit(`msg_${index}`))),
    );
    expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 2));
    expect((await first.inbox(sessionID)).queued).toHaveLength(40);
    expect(await second.acquireLease(sessionID, "own_2", 1_000)).toBeUndefined();
    await Promise.all([first.close(), second.close()]);
  });

  it("stores that are opened at the same time make the tables once", async () => {
    using folder = temporaryFolder();
    const stores = Array.from({ length: 5 }, () => sqliteStorage(folder.path("store.db")));
    await Promise.all(stores.map((storage, index) => storage.commit({ sessionID: `ses_${index}`, operations: [{ type: "session.create", session: sessionRow(`ses_${index}`) }] })));
    for (const storage of stores) expect((await storage.listSessions()).items).toHaveLength(5);
    await Promise.all(stores.map((storage) => storage.close()));
  });

  it("R189, beads_rust#141: a write waits for a lock of two seconds without blocking, and goes through", async () => {
    using folder = temporaryFolder();
    const clock = manualClock();
    const storage = sqliteStorage(folder.path("store.db"), { clock });
    await ownNewSession(storage);
    const raw = rawConnection(folder.path("store.db"));
    raw.exec("BEGIN IMMEDIATE");
    let isWritten = false;
    const write = commitUnleased(storage, admit("msg_1")).then(() => (isWritten = true));
    await clock.advance(2_000);
    expect(isWritten).toBe(false);
    expect((await storage.inbox(sessionID)).queued).toEqual([]);
    raw.exec("COMMIT");
    await clock.advance(1_000);
    await write;
    expect((await storage.inbox(sessionID)).queued).toHaveLength(1);
    raw.close();
    await storage.close();
  });

  it("a write that waits too long is refused by a typed error, and is not written later", async () => {
    using folder = temporaryFolder();
    const clock = manualClock();
    const storage = sqliteStorage(folder.path("store.db"), { clock, busyMs: 500 });
    await ownNewSession(storage);
    const raw = rawConnection(folder.path("store.db"));
    raw.exec("BEGIN IMMEDIATE");
    const refused = commitUnleased(storage, admit("msg_1")).catch((error: unknown) => error);
    await clock.advance(1_000);
    const error = await refused;
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ message: expect.stringMatching(/locked by another connection for 500 ms/) as string });
    raw.exec("COMMIT");
    await clock.advance(10_000);
    expect((await storage.inbox(sessionID)).queued).toEqual([]);
    raw.close();
    await storage.close();
  });

  it("opening waits for a lock too", async () => {
    using folder = temporaryFolder();
    const raw = rawConnection(folder.path("store.db"));
    raw.exec("BEGIN EXCLUSIVE; CREATE TABLE other (a)");
    const clock = manualClock();
    const storage = sqliteStorage(folder.path("store.db"), { clock });
    const sessions = storage.listSessions();
    await clock.advance(500);
    raw.exec("ROLLBACK");
    raw.close();
    await clock.advance(500);
    expect((await sessions).items).toEqual([]);
    await storage.close();
  });

  it("watchers hear of another connection's commits by polling, once each, and leave no timer", async () => {
    using folder = temporaryFolder();
    const clock = manualClock();
    const storage = sqliteStorage(folder.path("store.db"), { clock, pollMs: 100 });
    await ownNewSession(storage);
    await clock.advance(2_000);
    expect(clock.pending()).toBe(0);
    const other = sqliteStorage(folder.path("store.db"));
    let calls = 0;
    const stop = await storage.watch?.(sessionID, () => (calls += 1));
    await commitUnleased(other, admit("msg_1"));
    await clock.advance(100);
    expect(calls).toBe(1);
    await clock.advance(1_000);
    expect(calls).toBe(1);
    await commitUnleased(storage, admit("msg_2"));
    expect(calls).toBe(2);
    await clock.advance(2_000);
    expect(calls).toBe(2);
    stop?.();
    expect(clock.pending()).toBe(0);
    await Promise.all([storage.close(), other.close()]);
  });

  it("the lease of a process that has ended is taken at once, that of one that runs is not", async () => {
    using folder = temporaryFolder();
    const path = folder.path("store.db");
    const storage = sqliteStorage(path);
    await ownNewSession(storage);
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    const raw = rawConnection(path);
    raw.run("UPDATE lease SET process = ?", [JSON.stringify({ host: thisProcess().host, pid: child.pid })]);
    expect(await storage.acquireLease(sessionID, "own_2", 60_000)).toBeUndefined();
    child.kill("SIGKILL");
    await once(child, "exit");
    const next = await ownSession(storage, sessionID, "own_2");
    expect(next.lease.fence).toBe(2);
    raw.close();
    await storage.close();
  });
});
