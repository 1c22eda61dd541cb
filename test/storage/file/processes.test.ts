import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { fileStorage } from "../../../src/storage/file/index.ts";
import { ownNewSession } from "../../../src/testing/storage-conformance/owner.ts";
import { sessionID, sessionRow } from "../../../src/testing/storage-conformance/rows.ts";
import { storeDirectory } from "./store-directory.ts";

const script = fileURLToPath(new URL("writer-process.ts", import.meta.url));

function start(...args: string[]): ChildProcess & { output: () => string } {
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return Object.assign(child, { output: () => output });
}

async function queuedIDs(directory: string): Promise<string[]> {
  const storage = fileStorage(directory, { sync: "never" });
  const { queued } = await storage.inbox(sessionID);
  await storage.close();
  return queued.map(({ info }) => info.id);
}

it("two processes that write to one session lose nothing, and count every commit", { timeout: 120_000 }, async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  await storage.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
  const children = ["a", "b"].map((name) => start(directory, name, "60", "100"));
  expect(await Promise.all(children.map(async (child) => (await once(child, "exit"))[0] as unknown))).toEqual([0, 0]);
  expect((await storage.getSession(sessionID))?.seq).toBe(121);
  expect(new Set((await storage.inbox(sessionID)).queued.map(({ info }) => info.id)).size).toBe(120);
  await storage.close();
});

it("a process killed at any moment loses nothing that it was told is written, and hinders nobody", { timeout: 120_000 }, async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  const damage: unknown[] = [];
  storage.onDamage?.((found) => damage.push(found));
  await storage.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
  for (let round = 0; round < 3; round += 1) {
    const child = start(directory, `r${round}`, "100000", "20000");
    while (!child.output().includes("\n")) await once(child.stdout ?? child, "data");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
    child.kill("SIGKILL");
    await once(child, "exit");
    const written = child.output().split("\n").slice(0, -1);
    expect(written.length).toBeGreaterThan(0);
    await storage.commit({ sessionID, operations: [{ type: "abort.request", abort: { id: `abt_${round}`, queue: "keep", time: 1 } }] });
    expect(await queuedIDs(directory)).toEqual(expect.arrayContaining(written));
  }
  expect((await storage.inbox(sessionID)).aborts).toHaveLength(3);
  await storage.close();
});

it("the lease of a process that was killed is free at once", { timeout: 120_000 }, async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  await storage.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
  const child = start(directory, "own_child", "lease");
  while (!child.output().includes("\n")) await once(child.stdout ?? child, "data");
  expect(await storage.acquireLease(sessionID, "own_here", 60_000)).toBeUndefined();
  child.kill("SIGKILL");
  await once(child, "exit");
  expect((await storage.acquireLease(sessionID, "own_here", 60_000))?.fence).toBe(2);
  await storage.close();
});

it("two instances see each other's commits, leases and deletions", async () => {
  const directory = await storeDirectory();
  const [one, two] = [fileStorage(directory, { sync: "never" }), fileStorage(directory, { sync: "never" })];
  const owner = await ownNewSession(one);
  expect(await two.acquireLease(sessionID, "own_2", 1_000)).toBeUndefined();
  const told = new Promise<void>((resolve) => void two.watch?.(sessionID, resolve));
  await owner.write({ type: "session.put", session: sessionRow(sessionID, { title: "Changed" }) });
  await told;
  expect((await two.getSession(sessionID))?.title).toBe("Changed");
  await owner.write({ type: "session.delete" });
  expect(await two.getSession(sessionID)).toBeUndefined();
  await Promise.all([one.close(), two.close()]);
});

it("R186, anomalyco/opencode#27843: a reader in another process's place never meets half a line", { timeout: 120_000 }, async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  const damage: unknown[] = [];
  storage.onDamage?.((found) => damage.push(found));
  await storage.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
  const child = start(directory, "a", "20", "1000000");
  const ended = once(child, "exit");
  let running = true;
  void ended.then(() => (running = false));
  let seen = 0;
  while (running) {
    const { queued, seq } = await storage.inbox(sessionID);
    expect(seq).toBe(queued.length + 1);
    expect(queued.length).toBeGreaterThanOrEqual(seen);
    seen = queued.length;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect((await ended)[0]).toBe(0);
  expect((await storage.inbox(sessionID)).queued).toHaveLength(20);
  expect(damage).toEqual([]);
  await storage.close();
});
