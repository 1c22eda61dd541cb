import { describe, expect, it } from "vitest";
import { createAgent, memoryStorage, SessionNotFoundError, StorageError } from "throughline";
import type { Session, Storage } from "throughline";
import { faultyStorage, manualClock, reply, scriptedModel } from "throughline/testing";
import type { StorageFault, StorageRequest } from "throughline/testing";
import { foldEvents } from "../session/event-fold.ts";
import { echoTool, eventsOfType, gatedTool, start } from "../session/session-under-test.ts";

const hang: StorageFault = { type: "hang" };

/** Whether it is a commit with an operation of that type. */
function isCommitOf(type: string, { batch }: StorageRequest): boolean {
  return batch?.operations.some((operation) => operation.type === type) === true;
}

describe("a store that hangs", () => {
  it.each(["getSession", "listMessages", "inbox", "acquireLease", "releaseLease", "commit"] as const)("in %s keeps no turn, no status and no timer for ever", async (hanging) => {
    const clock = manualClock();
    let hangs = false;
    const storage = faultyStorage(memoryStorage({ clock }), { faults: ({ method }) => (hangs && method === hanging ? hang : undefined) });
    const test = await start(() => reply.text("Hi."), { clock, storage, timeouts: { storageMs: 1000 } });
    hangs = true;
    const { settled } = test.session.prompt("Hi");
    await clock.advance(60_000);
    expect((await settled).outcome).toBe(hanging === "releaseLease" ? "answered" : "error");
    expect(test.session.status).toEqual({ type: "idle" });
    const closed = test.session.close();
    await clock.advance(60_000);
    await closed;
    expect(clock.pending()).toBe(0);
  });

  it.each<[string, (session: Session) => Promise<unknown>]>([
    ["messages", (session) => session.messages()],
    ["queue", (session) => session.queue()],
    ["cancel", (session) => session.cancel("msg_1")],
    ["remove", (session) => session.remove()],
  ])("ends session.%s() with a StorageError", async (_name, call) => {
    const clock = manualClock();
    let hangs = false;
    const storage = faultyStorage(memoryStorage({ clock }), { faults: () => (hangs ? hang : undefined) });
    const { session } = await start([], { clock, storage, timeouts: { storageMs: 1000 } });
    hangs = true;
    const failure = call(session).catch((error: unknown) => error);
    await clock.advance(60_000);
    expect(await failure).toBeInstanceOf(StorageError);
    expect(clock.pending()).toBe(0);
  });

  it("ends agent.session() with a StorageError", async () => {
    const clock = manualClock();
    const agent = createAgent({ model: scriptedModel([]), clock, storage: faultyStorage(memoryStorage(), { faults: () => hang }), timeouts: { storageMs: 1000 } });
    const failure = agent.session("thread").catch((error: unknown) => error);
    await clock.advance(60_000);
    expect(await failure).toBeInstanceOf(StorageError);
  });
});

describe("a store that answers without a promise", () => {
  it("is understood, and leaves no timer", async () => {
    const clock = manualClock();
    const memory = memoryStorage({ clock });
    const agent = createAgent({ model: scriptedModel([]), clock, storage: { ...memory, getSession: (() => undefined) as never } }); // Wrong on purpose.
    await expect(agent.session("nobody")).rejects.toThrow(SessionNotFoundError);
    expect(clock.pending()).toBe(0);
  });
});

describe("a store whose answer is lost", () => {
  it("has made the session all the same: it is announced once, and by nobody who only opens it", async () => {
    const clock = manualClock(1000);
    let lost = false;
    const memory = memoryStorage({ clock });
    const storage = faultyStorage(memory, {
      faults: (request) => {
        if (lost || !isCommitOf("session.create", request)) return undefined;
        lost = true;
        return { type: "fail", applied: true };
      },
    });
    const heard: string[] = [];
    const agents = [storage, memory].map((each) => createAgent({ model: scriptedModel([]), clock, storage: each }));
    for (const agent of agents) agent.on("*", ({ type, sessionID, seq }) => heard.push(`${type} ${sessionID} ${seq}`));
    const opening = agents[0]?.session({ id: "thread" });
    await clock.advance(1000);
    expect((await opening)?.info.time.created).toBe(1000);
    await agents[1]?.session({ id: "thread" });
    expect(heard).toEqual(["session.created thread 1"]);
  });
});

describe("a store that fails once", () => {
  it.each(["getSession", "listMessages", "inbox", "acquireLease", "releaseLease", "commit"] as const)("in %s is asked again: every prompt is answered", async (failing) => {
    const clock = manualClock();
    let fails = false;
    const storage = faultyStorage(memoryStorage({ clock }), {
      faults: ({ method }) => {
        if (!fails || method !== failing) return undefined;
        fails = false;
        return { type: "fail", error: new Error("database is locked") };
      },
    });
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "one" }), reply.text("One."), reply.text("Two.")], { clock, storage, tools: { gate } });
    fails = failing !== "inbox";
    const first = test.session.prompt("1");
    await clock.advance(1000);
    await whenStarted("one");
    const second = test.session.prompt("2");
    await second.accepted;
    fails = true;
    open("one");
    await clock.advance(1000);
    expect([(await first).text, (await second).text]).toEqual(["One.", "Two."]);
    expect(clock.pending()).toBe(0);
  });

  it.each(["prompt.admit", "message.promote", "part.put"])("after it has taken a %s, so that the answer is lost, loses no event", async (type) => {
    const clock = manualClock();
    let lost = false;
    const storage = faultyStorage(memoryStorage({ clock }), {
      faults: (request) => {
        if (lost || !isCommitOf(type, request)) return undefined;
        lost = true;
        return { type: "fail", applied: true, error: new Error("connection reset") };
      },
    });
    const { echo, runs } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("Done.")], { clock, storage, tools: { echo } });
    const turn = test.session.prompt("Hi");
    await clock.advance(1000);
    expect(await turn).toMatchObject({ outcome: "answered", text: "Done." });
    expect(lost).toBe(true);
    expect(runs).toEqual(["a"]);
    expect(eventsOfType(test.events, "prompt.admitted")).toHaveLength(1);
    expect(foldEvents(test.events).messages).toEqual(await test.session.messages());
  });
});

describe("a store that fails for good", () => {
  const broken = (storage: Storage, isBroken: () => boolean): Storage => faultyStorage(storage, { faults: ({ method }) => (method === "commit" && isBroken() ? { type: "full" } : undefined) });

  it("refuses the prompt with a StorageError that says why", async () => {
    const clock = manualClock();
    let fails = false;
    const { session } = await start([], { clock, storage: broken(memoryStorage({ clock }), () => fails) });
    fails = true;
    const failure = session.prompt("Hi").then(undefined, (error: unknown) => error);
    await clock.advance(10_000);
    expect(await failure).toBeInstanceOf(StorageError);
    expect(String(await failure)).toContain("no space left on device");
  });

  it("can be repaired: the same agent opens the session anew", async () => {
    const clock = manualClock();
    let fails = false;
    const test = await start([reply.text("One."), reply.text("Two.")], { clock, storage: broken(memoryStorage({ clock }), () => fails) });
    test.session.once("step.started", () => (fails = true));
    const failure = test.session.prompt("1").then(undefined, (error: unknown) => error);
    await clock.advance(10_000);
    expect(await failure).toBeInstanceOf(StorageError);
    fails = false;
    const again = await test.agent.session(test.session.id);
    expect(again).not.toBe(test.session);
    expect((await again.prompt("2")).text).toBe("Two.");
    expect(clock.pending()).toBe(0);
  });

  it("makes no unhandled rejection of a signal that aborts a prompt in the queue", async () => {
    const clock = manualClock();
    let fails = false;
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", listen);
    try {
      const { gate, whenStarted } = gatedTool();
      const test = await start([reply.toolCall("gate", { name: "one" })], { clock, tools: { gate }, storage: broken(memoryStorage({ clock }), () => fails) });
      const controller = new AbortController();
      const first = test.session.prompt("1");
      await whenStarted("one");
      const second = test.session.prompt("2", { abortSignal: controller.signal });
      await second.accepted;
      fails = true;
      controller.abort();
      const aborted = test.session.abort();
      await clock.advance(60_000);
      await aborted;
      expect([(await first.settled).outcome, (await second.settled).outcome]).toEqual(["error", "error"]);
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listen);
    }
  });
});
