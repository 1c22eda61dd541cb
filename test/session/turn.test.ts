import { describe, expect, it } from "vitest";
import { SessionClosedError, TurnAbortedError, TurnFailedError, type SessionEvent } from "throughline";
import { reply } from "throughline/testing";
import { eventsOf, expectDone, gatedTool, nextEvent, start } from "./session-under-test.ts";

describe("a turn", () => {
  it("is awaited for its result", async () => {
    const test = await start([reply.text("Hello!", { usage: { input: 10, output: 3, reasoning: 2, cache: { read: 5, write: 1 } } })], {
      prices: { input: 1, output: 10, cacheRead: 0.5, cacheWrite: 2, reasoning: 20 },
    });
    const turn = test.session.prompt("Hi");
    const result = await turn;
    expect(result).toMatchObject({ messageID: turn.messageID, outcome: "answered", text: "Hello!", steps: 1, toolErrors: [] });
    expect(result.tokens).toEqual({ input: 10, output: 3, reasoning: 2, cache: { read: 5, write: 1 } });
    expect(result.cost).toBeCloseTo((10 + 30 + 40 + 2.5 + 2) / 1e6, 12);
    expect(result.messages.map(({ info }) => [info.parentID, info.finish])).toEqual([[turn.messageID, "stop"]]);
    expectDone(test);
  });

  it("is iterated for its events, and awaited too", async () => {
    const test = await start([reply.text("Hello!", { chunks: 3 })]);
    const turn = test.session.prompt("Hi");
    let streamed = "";
    for await (const event of turn) if (event.type === "part.delta") streamed += event.delta;
    expect(streamed).toBe("Hello!");
    expect((await turn).text).toBe("Hello!");
    expectDone(test);
  });

  it("is a promise and no async function's prey: prompt() returns it at once", async () => {
    const test = await start([reply.text("Hello!")]);
    const turn = test.session.prompt("Hi");
    expect(typeof turn.messageID).toBe("string");
    expect(typeof turn.then).toBe("function");
    await turn;
  });

  it("gives the same events to two readers, and all of them to one that comes late", async () => {
    const test = await start([reply.text("Hello!", { chunks: 2 })]);
    const turn = test.session.prompt("Hi");
    const [first, second] = await Promise.all([eventsOf(turn), eventsOf(turn)]);
    expect(second).toEqual(first);
    expect(await eventsOf(turn)).toEqual(first);
    expect(first.at(0)?.type).toBe("prompt.admitted");
    expect(first.at(-1)?.type).toBe("turn.finished");
  });

  it("ends the iteration when the turn ended before anybody read", async () => {
    const test = await start([reply.text("Hello!")]);
    const turn = test.session.prompt("Hi");
    await turn;
    // Nobody was reading, so the events were not kept; but the reader must not wait for ever.
    const events = await eventsOf(turn);
    expect(events.length === 0 || events.at(-1)?.type === "turn.finished").toBe(true);
  });

  it("goes on when the loop over its events is left", async () => {
    const test = await start([reply.text("Hello!", { chunks: 6 })]);
    const turn = test.session.prompt("Hi");
    for await (const event of turn) if (event.type === "part.delta") break;
    expect(await turn).toMatchObject({ outcome: "answered", text: "Hello!" });
    expectDone(test);
  });

  it("carries its id, or the caller's trace id, on all its events", async () => {
    const test = await start([reply.text("a"), reply.text("b")]);
    const plain = test.session.prompt("Hi");
    expect(new Set((await eventsOf(plain)).map(({ turnID }) => turnID))).toEqual(new Set([plain.messageID]));
    const traced = test.session.prompt("Hi", { traceID: "trace-1" });
    expect(new Set((await eventsOf(traced)).map(({ turnID }) => turnID))).toEqual(new Set(["trace-1"]));
  });
});

describe("turns that share a trace id", () => {
  it("each give their own events, also while another waits", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One."), reply.text("Two.")], { tools: { gate } });
    const first = test.session.prompt("1", { traceID: "request-7" });
    const second = test.session.prompt("2", { traceID: "request-7" });
    const third = test.session.prompt("3", { traceID: "request-7" });
    const events = [first, second, third].map(eventsOf);
    await whenStarted("a");
    await Promise.all([second.accepted, third.accepted]);
    await third.abort();
    open("a");
    const [ofFirst, ofSecond, ofThird] = await Promise.all(events);
    const textOf = (given: readonly SessionEvent[] = []): string => given.map((event) => (event.type === "part.delta" ? event.delta : "")).join("");
    const ends = (given: readonly SessionEvent[] = []): unknown[] => given.flatMap((event) => (event.type === "prompt.admitted" || event.type === "turn.finished" || event.type === "prompt.cancelled" ? [[event.type, event.messageID]] : []));
    expect([textOf(ofFirst), textOf(ofSecond), textOf(ofThird)]).toEqual(["One.", "Two.", ""]);
    expect(ends(ofFirst)).toEqual([["prompt.admitted", first.messageID], ["turn.finished", first.messageID]]);
    expect(ends(ofSecond)).toEqual([["prompt.admitted", second.messageID], ["turn.finished", second.messageID]]);
    expect(ends(ofThird)).toEqual([["prompt.admitted", third.messageID], ["prompt.cancelled", third.messageID]]);
    expectDone(test);
  });
});

describe("accepted", () => {
  it("resolves once the prompt is stored, before the model answers", async () => {
    const test = await start([reply.stall()]);
    const turn = test.session.prompt("Hi");
    const { messageID, seq } = await turn.accepted;
    expect(messageID).toBe(turn.messageID);
    expect(seq).toBeGreaterThan(0);
    await nextEvent(test.session, "step.started");
    expect((await test.session.messages())[0]?.info.id).toBe(messageID);
    await test.session.abort();
    expectDone(test);
  });

  it("rejects when the prompt cannot be stored, and so does the turn", async () => {
    const test = await start([]);
    const failing = { ...test.storage, commit: () => Promise.reject(new Error("disk full")) };
    const broken = await start([], { storage: { ...failing, commit: (batch) => (batch.operations[0]?.type === "session.create" ? test.storage.commit(batch) : failing.commit()) } });
    const turn = broken.session.prompt("Hi");
    const settled = Promise.allSettled([turn.accepted, turn]);
    await broken.clock.runAll();
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("a failing turn", () => {
  it("rejects with a typed error that has the result", async () => {
    const test = await start([[reply.text("Half an ans"), reply.error(new Error("socket closed"))]]);
    const failure: unknown = await test.session.prompt("Hi").then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(TurnFailedError);
    expect(failure).toMatchObject({ code: "turn-failed", message: "socket closed", result: { outcome: "error", text: "Half an ans", steps: 1, error: { message: "socket closed" } } });
    expectDone(test);
  });

  it("rejects with another typed error when it was aborted", async () => {
    const test = await start([[reply.text("Half an ans"), reply.stall()]]);
    const turn = test.session.prompt("Hi");
    const caught = turn.then(
      () => undefined,
      (error: unknown) => error,
    );
    await nextEvent(test.session, "part.delta");
    await turn.abort();
    const failure = await caught;
    expect(failure).toBeInstanceOf(TurnAbortedError);
    expect(failure).toMatchObject({ code: "turn-aborted", result: { outcome: "aborted", text: "Half an ans" } });
    expectDone(test);
  });

  it("settles without rejecting, and iterating it does not throw", async () => {
    const test = await start([reply.error(new Error("no")), reply.error(new Error("no"))]);
    expect(await test.session.prompt("Hi").settled).toMatchObject({ outcome: "error", error: { message: "no" } });
    const events = await eventsOf(test.session.prompt("Hi"));
    expect(events.findLast(({ type }) => type === "turn.finished")).toMatchObject({ outcome: "error" });
    expectDone(test);
  });

  it("is no unhandled rejection when nobody awaits it", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const test = await start([reply.error(new Error("no"))]);
    const finished = nextEvent(test.session, "turn.finished");
    test.session.prompt("Hi");
    await finished;
    // Twice around the event loop: Node reports a rejection after the jobs of the current task.
    await test.clock.advance(0);
    await test.clock.advance(0);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  it("leaves the session usable", async () => {
    const test = await start([reply.error(new Error("no")), reply.text("Now it works.")]);
    await test.session.prompt("Hi").settled;
    expect(await test.session.prompt("Again")).toMatchObject({ outcome: "answered", text: "Now it works." });
    expectDone(test);
  });
});

describe("a turn of a session that is closed", () => {
  it("rejects: nobody waits for it in vain", async () => {
    const test = await start([reply.stall()]);
    const running = test.session.prompt("Hi");
    const queued = test.session.prompt("Later");
    const results = Promise.all([running.settled, queued.then(() => undefined, (error: unknown) => error)]);
    await nextEvent(test.session, "step.started");
    await test.session.close();
    const [first, second] = await results;
    expect(first.outcome).toBe("aborted");
    expect(second).toBeInstanceOf(SessionClosedError);
    expect(test.clock.pending()).toBe(0);
  });
});

describe("when the turn's promise settles", () => {
  it("the status is idle and all rows are stored", async () => {
    const test = await start([reply.text("Hello!")]);
    const turn = test.session.prompt("Hi");
    await turn;
    expect(test.session.status).toEqual({ type: "idle" });
    const { items } = await test.storage.listMessages(test.session.id);
    expect(items.map(({ info }) => info.role)).toEqual(["assistant", "user"]);
    expect(items[0]?.info).toMatchObject({ finish: "stop", time: { completed: test.clock.now() } });
    expect(items[1]?.info).toMatchObject({ id: turn.messageID, outcome: { type: "answered" } });
  });

  it("turn.finished was the last event, but for session.*", async () => {
    const test = await start([reply.text("Hello!")]);
    await test.session.prompt("Hi");
    const last = test.events.findLastIndex(({ type }) => type === "turn.finished");
    const after = test.events.slice(last + 1).map((event: SessionEvent) => event.type);
    expect(after.every((type) => type.startsWith("session."))).toBe(true);
    expect(test.events.at(-1)).toMatchObject({ type: "session.status", status: { type: "idle" } });
  });
});
