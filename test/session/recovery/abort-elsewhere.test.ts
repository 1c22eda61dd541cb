import { describe, expect, it } from "vitest";
import { createAgent, type Session, type Storage, type UserMessage } from "throughline";
import { reply, scriptedModel, strictModel } from "throughline/testing";
import { gatedTool, nextEvent } from "../session-under-test.ts";
import { sharedStore, type SharedStore } from "./crash.ts";

/** The same session in another living process, which has no model to call. */
async function elsewhere({ storage, clock }: SharedStore, seen: Storage = storage): Promise<Session> {
  return createAgent({ model: strictModel(scriptedModel([])), storage: seen, clock }).session("thread");
}

async function outcomes({ storage }: SharedStore): Promise<(string | undefined)[]> {
  const { items } = await storage.listMessages("thread");
  return items.flatMap(({ info }) => (info.role === "user" ? [info.outcome?.type] : [])).reverse();
}

async function openAborts({ storage }: SharedStore): Promise<number> {
  return (await storage.inbox("thread")).aborts.length;
}

describe.each([["that tells of commits", true], ["that has to be polled", false]])("abort() from another process, over a store %s,", (_name, watches) => {
  function storeFor(): SharedStore {
    const store = sharedStore();
    if (!watches) delete store.storage.watch;
    return store;
  }

  it("ends a model call that is silent; the prompts behind it run", async () => {
    const store = storeFor();
    const first = await store.start([[reply.text("Half"), reply.stall()], reply.text("Two.")]);
    const one = first.session.prompt("1", { id: "a" });
    await nextEvent(first.session, "part.delta");
    const two = first.session.prompt("2", { id: "b" });
    await two.accepted;
    const other = await elsewhere(store);
    const aborted = other.abort();
    await store.clock.advance(2000);
    await aborted;
    expect(await one.settled).toMatchObject({ outcome: "aborted", text: "Half" });
    expect((await two).text).toBe("Two.");
    expect(await outcomes(store)).toEqual(["aborted", "answered"]);
    expect(await openAborts(store)).toBe(0);
    expect(store.clock.pending()).toBe(0);
  });

  it("ends a tool that takes no notice, within the grace period", async () => {
    const store = storeFor();
    const { gate, whenStarted, signals } = gatedTool();
    const first = await store.start([reply.toolCall("gate", { name: "a" })], { tools: { gate } });
    const one = first.session.prompt("1");
    await whenStarted("a");
    const other = await elsewhere(store);
    const aborted = other.abort();
    await store.clock.advance(1000);
    await aborted;
    expect((await one.settled).outcome).toBe("aborted");
    expect(signals[0]?.aborted).toBe(true);
    expect(first.model.calls).toBe(1);
  });

  it("with queue: cancel takes out what waits, whoever prompted it", async () => {
    const store = storeFor();
    const first = await store.start([reply.stall()]);
    const turns = ["1", "2", "3"].map((text) => first.session.prompt(text));
    await nextEvent(first.session, "step.started");
    await Promise.all(turns.map(({ accepted }) => accepted));
    const other = await elsewhere(store);
    const aborted = other.abort({ queue: "cancel" });
    await store.clock.advance(2000);
    await aborted;
    const settled = Promise.all(turns.map((turn) => turn.settled));
    await store.clock.advance(2000);
    expect((await settled).map(({ outcome }) => outcome)).toEqual(["aborted", "cancelled", "cancelled"]);
  });

  it("of a turn that is followed from there ends that turn", async () => {
    const store = storeFor();
    const first = await store.start([reply.stall()]);
    first.session.prompt("1", { id: "a" });
    await nextEvent(first.session, "step.started");
    const other = await elsewhere(store);
    const turn = other.resume();
    await turn.accepted;
    const aborted = turn.abort();
    await store.clock.advance(2000);
    await aborted;
    expect((await turn.settled).outcome).toBe("aborted");
    expect(await outcomes(store)).toEqual(["aborted"]);
  });
});

describe("an abort request", () => {
  async function cut(request: { messageID?: string } | undefined): Promise<SharedStore> {
    const store = sharedStore();
    const first = await store.start([[reply.text("Half"), reply.stall()]]);
    first.session.prompt("1", { id: "a" });
    await nextEvent(first.session, "part.delta");
    await store.clock.advance(300);
    const crashed = store.crash();
    if (request !== undefined) await store.storage.commit({ sessionID: "thread", operations: [{ type: "abort.request", abort: { id: "abt_1", queue: "keep", time: 0, ...request } }] });
    await crashed;
    return store;
  }

  it.each([[{}], [{ messageID: "a" }]])("that a dead process left (%j) ends the owed turn, and no later one", async (request) => {
    const store = await cut(request);
    const second = await store.start([reply.text("Two."), reply.text("Three.")]);
    expect((await second.session.resume().settled).outcome).toBe("aborted");
    expect(second.model.calls).toBe(0);
    expect(await openAborts(store)).toBe(0);
    expect((await second.session.prompt("2")).text).toBe("Two.");
    expect(await outcomes(store)).toEqual(["aborted", "answered"]);
  });

  it("for a turn that is over is dropped", async () => {
    const store = sharedStore();
    const first = await store.start([reply.text("One."), reply.text("Two.")]);
    await first.session.prompt("1", { id: "a" });
    for (const [id, messageID] of [["abt_1", "a"], ["abt_2", undefined]] as const) {
      await store.storage.commit({ sessionID: "thread", operations: [{ type: "abort.request", abort: { id, messageID, queue: "keep", time: 0 } }] });
    }
    expect((await first.session.prompt("2")).text).toBe("Two.");
    expect(await openAborts(store)).toBe(0);
  });

  it("is not needed where nobody runs the session: abort() ends an interrupted turn itself", async () => {
    const store = await cut(undefined);
    const second = await store.start([]);
    await second.session.abort();
    const [prompt] = (await store.storage.listMessages("thread")).items.flatMap(({ info }): UserMessage[] => (info.role === "user" ? [info] : []));
    expect(prompt?.outcome).toMatchObject({ type: "aborted", error: { code: "aborted" } });
    expect(second.session.status).toEqual({ type: "idle" });
  });

  it("to a process that has died is carried out by the one that asks, once the lease is over", async () => {
    const store = sharedStore();
    const first = await store.start([[reply.text("Half"), reply.stall()]]);
    first.session.prompt("1", { id: "a" });
    await nextEvent(first.session, "part.delta");
    const second = await store.start([]);
    const aborted = second.session.abort();
    await store.clock.advance(40_000);
    await aborted;
    expect(await outcomes(store)).toEqual(["aborted"]);
    expect(await openAborts(store)).toBe(0);
  });
});
