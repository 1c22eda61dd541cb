import { describe, expect, it } from "vitest";
import { createAgent, memoryStorage } from "throughline";
import type { Storage } from "throughline";
import { crashAfter, CrashedError, faultyStorage, manualClock, reply, scriptedModel } from "throughline/testing";
import { sessionRow } from "../../src/testing/storage-conformance/rows.ts";

const create = (storage: Storage, id: string): Promise<{ seq: number }> => storage.commit({ sessionID: id, operations: [{ type: "session.create", session: sessionRow(id) }] });

async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  let outcome: unknown = "pending";
  promise.then((value) => (outcome = value), (error: unknown) => (outcome = error));
  await manualClock().advance(0);
  return outcome;
}

describe("crashAfter", () => {
  it("writes the n-th commit, and lets neither its answer nor anything else through", async () => {
    const store = memoryStorage();
    const storage = crashAfter(2, store);
    expect(await create(storage, "ses_1")).toEqual({ seq: 1 });
    expect([await outcomeOf(create(storage, "ses_2")), storage.isCrashed]).toEqual(["pending", true]);
    await storage.crashed;
    expect(await outcomeOf(create(storage, "ses_3"))).toBe("pending");
    expect(await outcomeOf(storage.getSession("ses_1"))).toBe("pending");
    expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["ses_2", "ses_1"]);
    expect(storage.commits).toBe(2);
  });

  it("dies just before the n-th commit when asked to", async () => {
    const store = memoryStorage();
    const storage = crashAfter(2, store, { point: "before" });
    await create(storage, "ses_1");
    expect(await outcomeOf(create(storage, "ses_2"))).toBe("pending");
    await storage.crashed;
    expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["ses_1"]);
    expect(storage.commits).toBe(1);
  });

  it("rejects with a CrashedError when asked to, and leaves the store open", async () => {
    const store = memoryStorage();
    const storage = crashAfter(1, store, { calls: "reject" });
    await expect(create(storage, "ses_1")).rejects.toBeInstanceOf(CrashedError);
    await expect(storage.inbox("ses_1")).rejects.toBeInstanceOf(CrashedError);
    await storage.close();
    expect((await store.getSession("ses_1"))?.id).toBe("ses_1");
  });

  it("cuts a commit that was asked for while the last one was under way", async () => {
    const store = memoryStorage();
    const storage = crashAfter(1, store);
    const [first, second] = [create(storage, "ses_1"), create(storage, "ses_2")];
    expect([await outcomeOf(first), await outcomeOf(second)]).toEqual(["pending", "pending"]);
    expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["ses_1"]);
  });

  it("tells of the crash once nothing of the process is under way in the store any more", async () => {
    const clock = manualClock();
    const storage = crashAfter(1, faultyStorage(memoryStorage({ clock }), { clock, faults: [{ on: "listSessions", type: "slow", delayMs: 100 }] }), { point: "before" });
    const sessions = storage.listSessions();
    void create(storage, "ses_1");
    expect(await outcomeOf(storage.crashed)).toBe("pending");
    await clock.advance(100);
    expect(await outcomeOf(storage.crashed)).toBeUndefined();
    expect(await outcomeOf(sessions)).toBe("pending");
  });

  it("counts for ever with Infinity, and refuses what is no number of commits", async () => {
    const storage = crashAfter(Infinity, memoryStorage());
    for (const id of ["ses_1", "ses_2", "ses_3"]) await create(storage, id);
    expect([storage.commits, storage.isCrashed]).toEqual([3, false]);
    for (const commits of [0, -1, 1.5, Number.NaN]) expect(() => crashAfter(commits, memoryStorage())).toThrow(/whole number from 1/);
  });

  it("leaves a session that another agent opens and resumes", async () => {
    const clock = manualClock();
    const store = memoryStorage({ clock });
    const dying = crashAfter(2, store);
    const agent = (storage: Storage) => createAgent({ model: scriptedModel(() => reply.text("Hello.")), clock, storage });
    void agent(dying).session({ id: "thread" }).then((session) => session.prompt("Hi").settled);
    await dying.crashed;
    await clock.advance(30_000);
    const session = await agent(store).session("thread");
    expect((await session.resume()).text).toBe("Hello.");
  });
});
