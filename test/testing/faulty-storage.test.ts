import { describe, expect, it } from "vitest";
import { createAgent, memoryStorage } from "throughline";
import type { Storage } from "throughline";
import { faultyStorage, manualClock, reply, scriptedModel } from "throughline/testing";
import { sessionRow } from "../../src/testing/storage-conformance/rows.ts";

const create = (storage: Storage, id: string): Promise<{ seq: number }> => storage.commit({ sessionID: id, operations: [{ type: "session.create", session: sessionRow(id) }] });

/** Whether a promise is settled once everything that can happen has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => void (settled = true);
  promise.then(note, note);
  await manualClock().advance(0);
  return settled;
}

describe("faultyStorage", () => {
  it("fails the n-th commit before it is written, and no other", async () => {
    const storage = faultyStorage(memoryStorage(), { faults: [{ on: "commit", nth: 2, type: "fail", error: new Error("busy") }] });
    await create(storage, "ses_1");
    await expect(create(storage, "ses_2")).rejects.toThrow("busy");
    expect(await storage.getSession("ses_2")).toBeUndefined();
    expect(await create(storage, "ses_2")).toEqual({ seq: 1 });
  });

  it("loses the answer of a commit that was written", async () => {
    const storage = faultyStorage(memoryStorage(), { faults: [{ on: "commit", type: "fail", applied: true }] });
    await expect(create(storage, "ses_1")).rejects.toThrow("as planned");
    expect((await storage.getSession("ses_1"))?.seq).toBe(1);
  });

  it("hangs, before or after the store has done its work", async () => {
    const storage = faultyStorage(memoryStorage(), {
      faults: [
        { on: "commit", nth: 1, type: "hang" },
        { on: "commit", nth: 2, type: "hang", applied: true },
      ],
    });
    expect(await isSettled(create(storage, "ses_1"))).toBe(false);
    expect(await isSettled(create(storage, "ses_2"))).toBe(false);
    expect((await storage.listSessions()).items.map(({ id }) => id)).toEqual(["ses_2"]);
  });

  it("says ENOSPC from some commit on, while reads go on", async () => {
    const storage = faultyStorage(memoryStorage(), { faults: [{ on: "commit", nth: { from: 2 }, type: "full" }] });
    await create(storage, "ses_1");
    for (const id of ["ses_2", "ses_3"]) await expect(create(storage, id)).rejects.toMatchObject({ code: "ENOSPC" });
    expect((await storage.listSessions()).items).toHaveLength(1);
  });

  it("is slow by the clock", async () => {
    const clock = manualClock();
    const storage = faultyStorage(memoryStorage({ clock }), { clock, faults: [{ on: ["getSession", "inbox"], type: "slow", delayMs: 500 }] });
    await create(storage, "ses_1");
    const session = storage.getSession("ses_1");
    await clock.advance(499);
    expect(storage.requests.at(-1)).toMatchObject({ method: "getSession", outcome: "pending" });
    await clock.advance(1);
    expect((await session)?.id).toBe("ses_1");
    expect(clock.pending()).toBe(0);
  });

  it("takes a function of the request, which sees the batch, and records what happened", async () => {
    const storage = faultyStorage(memoryStorage(), { faults: ({ batch }) => (batch?.sessionID === "ses_2" ? { type: "fail" } : undefined) });
    await create(storage, "ses_1");
    await create(storage, "ses_2").catch(() => undefined);
    expect(storage.requests.map(({ method, count, outcome }) => [method, count, outcome])).toEqual([["commit", 1, "answered"], ["commit", 2, "rejected"]]);
    expect(storage.faults).toEqual([storage.requests[1]]);
  });

  it("goes around another one", async () => {
    const inner = faultyStorage(memoryStorage(), { faults: [{ on: "commit", nth: [1, 2], type: "fail", error: new Error("inner") }] });
    const storage = faultyStorage(inner, { faults: [{ on: "commit", nth: 1, type: "fail", error: new Error("outer") }] });
    await expect(create(storage, "ses_1")).rejects.toThrow("outer");
    await expect(create(storage, "ses_1")).rejects.toThrow("inner");
    expect(inner.requests).toHaveLength(1);
  });

  it("serves an agent, which puts the failed request again", async () => {
    const clock = manualClock();
    const storage = faultyStorage(memoryStorage({ clock }), { faults: [{ on: "commit", nth: [2, 4], type: "fail", applied: true }] });
    const session = await createAgent({ model: scriptedModel([reply.text("Hello.")]), clock, storage }).session();
    const turn = session.prompt("Hi");
    await clock.advance(1_000);
    expect((await turn).text).toBe("Hello.");
    expect(storage.faults).toHaveLength(2);
    expect(clock.pending()).toBe(0);
  });
});
