import { describe, expect, it } from "vitest";
import type { LanguageModel, Part, SessionEventType } from "throughline";
import { reply, type Reply } from "throughline/testing";
import { countedController, echoTool, eventsOfType, expectDone, nextEvent, start, story, textsIn } from "./session-under-test.ts";

/** The moments of a turn, with what the model says until then. */
const moments: [SessionEventType, readonly Reply[], Part["type"]?][] = [
  ["prompt.admitted", []],
  ["prompt.promoted", []],
  ["turn.started", []],
  ["step.started", []],
  ["part.delta", [reply.text("Hello!", { chunks: 3 })]],
  ["part.delta", [[reply.text("Hello!", { chunks: 3 }), reply.stall({ ignoreAbort: true })]]],
  ["part.updated", [[reply.toolCall("echo", { text: "abc" }, { chunks: 3 }), reply.stall({ afterChunks: 1 })]], "tool"],
  ["tool.started", [reply.toolCall("echo", { text: "abc" })]],
  ["tool.finished", [reply.toolCall("echo", { text: "abc" })]],
];

/** Aborts when the session's first event of that kind (and part) comes, and checks what must hold after any abort. */
async function abortAt(how: "session" | "turn" | "signal", ...[type, script, part]: (typeof moments)[number]): Promise<void> {
  const { echo } = echoTool();
  let callsAtAbort: number | undefined;
  // A call may be under way when the event is heard: the model then stays silent until the abort.
  const test = await start((_request, index) => script[index] ?? (callsAtAbort === undefined ? reply.stall() : reply.text("Going on.")), { tools: { echo } });
  const controller = new AbortController();
  const turn = test.session.prompt("Hi", { abortSignal: controller.signal });
  test.session.on(type, (event) => {
    if (callsAtAbort !== undefined || (event.type === "part.updated" && event.part.type !== part)) return;
    callsAtAbort = test.model.calls;
    if (how === "session") void test.session.abort();
    else if (how === "turn") void turn.abort();
    else controller.abort();
  });
  expect((await turn.settled).outcome).toBe("aborted");
  expect(test.session.status).toEqual({ type: "idle" });
  expect(test.clock.pending()).toBe(0);
  expect(eventsOfType(test.events, "turn.finished")).toMatchObject([{ outcome: "aborted" }]);
  const [prompt] = await test.session.messages();
  expect(prompt?.info).toMatchObject({ outcome: { type: "aborted" } });
  await test.clock.advance(1000);
  expect(test.model.calls).toBe(callsAtAbort);
  // The next prompt is answered as ever, by a legal request.
  expect(await test.session.prompt("Go on")).toMatchObject({ outcome: "answered", text: "Going on." });
  expectDone(test);
}

describe.each(["session", "turn", "signal"] as const)("an abort by the %s", (how) => {
  it.each(moments)("at %s ends the turn as aborted, once, and calls the model no more", async (...moment) => {
    await abortAt(how, ...moment);
  });
});

describe("an abort", () => {
  it("keeps the partial text, and shows it to the model with the next prompt", async () => {
    const test = await start([[reply.text("Once upon a ti"), reply.stall()], reply.text("I see.")]);
    const turn = test.session.prompt("Tell me a story");
    await nextEvent(test.session, "part.delta");
    await test.session.abort();
    expect(await turn.settled).toMatchObject({ outcome: "aborted", text: "Once upon a ti", error: { code: "aborted" } });
    await test.session.prompt("Go on");
    expect(textsIn(test.model.requests[1]).join("\n")).toContain("Once upon a ti");
    expectDone(test);
  });

  it("in the same tick as the prompt means no model call at all", async () => {
    const test = await start([]);
    const turn = test.session.prompt("Hi");
    void turn.abort();
    expect(await turn.settled).toMatchObject({ outcome: "aborted", steps: 0 });
    expectDone(test);
  });

  it("by session.abort() in the same tick as the prompt, too", async () => {
    const test = await start([]);
    const turn = test.session.prompt("Hi");
    await test.session.abort();
    expect(await turn.settled).toMatchObject({ outcome: "aborted", steps: 0 });
    expectDone(test);
  });

  it("by a signal that was aborted before means no model call at all", async () => {
    const test = await start([]);
    const turn = test.session.prompt("Hi", { abortSignal: AbortSignal.abort() });
    expect(await turn.settled).toMatchObject({ outcome: "aborted", steps: 0 });
    expectDone(test);
  });

  it("of a turn that waits cancels it; the running one goes on", async () => {
    const test = await start([[reply.text("Hello!"), reply.stall()]]);
    const running = test.session.prompt("One");
    const waiting = test.session.prompt("Two");
    await nextEvent(test.session, "part.delta");
    await waiting.abort();
    expect(await waiting).toMatchObject({ outcome: "cancelled", steps: 0 });
    expect(eventsOfType(test.events, "prompt.cancelled")).toMatchObject([{ messageID: waiting.messageID }]);
    expect(test.session.status).toEqual({ type: "busy" });
    await running.abort();
    expectDone(test);
  });

  it("of a turn that waits comes at once, too, by a signal that was aborted before", async () => {
    const test = await start([[reply.text("Hello!"), reply.stall()]]);
    const running = test.session.prompt("One");
    await nextEvent(test.session, "part.delta");
    const waiting = test.session.prompt("Two", { abortSignal: AbortSignal.abort() });
    expect(await waiting).toMatchObject({ outcome: "cancelled", steps: 0 });
    expect((await waiting.accepted).messageID).toBe(waiting.messageID);
    expect(story(test.events.filter(({ turnID }) => turnID === waiting.messageID))).toEqual(["prompt.admitted", "prompt.cancelled"]);
    expect(test.session.status).toEqual({ type: "busy" });
    await running.abort();
    expectDone(test);
  });

  it("by the signal of a prompt that came twice ends the turn of both, and leaves no listener", async () => {
    for (const isAbortedBefore of [false, true]) {
      const test = await start([reply.stall()]);
      const { controller, listeners } = countedController();
      const first = test.session.prompt("Hi", { id: "p" });
      await nextEvent(test.session, "step.started");
      if (isAbortedBefore) controller.abort();
      const again = test.session.prompt("Hi", { id: "p", abortSignal: controller.signal });
      controller.abort();
      expect([(await first.settled).outcome, (await again.settled).outcome]).toEqual(["aborted", "aborted"]);
      expect(listeners()).toBe(0);
      expectDone(test);
    }
  });

  it("lets the prompts that wait run", async () => {
    const test = await start([reply.stall(), reply.text("Two.")]);
    const first = test.session.prompt("One");
    const second = test.session.prompt("Two");
    await nextEvent(test.session, "step.started");
    await test.session.abort();
    expect((await first.settled).outcome).toBe("aborted");
    expect(await second).toMatchObject({ outcome: "answered", text: "Two." });
    expectDone(test);
  });

  it("cancels them when it is told to, with an event each", async () => {
    const test = await start([reply.stall()]);
    const turns = ["One", "Two", "Three"].map((text) => test.session.prompt(text));
    await nextEvent(test.session, "step.started");
    await Promise.all(turns.map(({ accepted }) => accepted));
    await test.session.abort({ queue: "cancel" });
    expect(await Promise.all(turns.map(async ({ settled }) => (await settled).outcome))).toEqual(["aborted", "cancelled", "cancelled"]);
    expect(eventsOfType(test.events, "prompt.cancelled").map(({ messageID }) => messageID)).toEqual(turns.slice(1).map(({ messageID }) => messageID));
    expect(await test.session.queue()).toEqual([]);
    expectDone(test);
  });

  it("of an idle session does nothing, and is not remembered", async () => {
    const test = await start([reply.text("Hello!")]);
    await test.session.abort();
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "answered" });
    await test.session.abort();
    expectDone(test);
  });

  it("of a turn that has ended does nothing to the next one", async () => {
    const test = await start([reply.text("One."), reply.text("Two.")]);
    const first = test.session.prompt("One");
    await first;
    const second = test.session.prompt("Two");
    await first.abort();
    expect((await second).outcome).toBe("answered");
    expectDone(test);
  });
});

describe("a provider", () => {
  it("that ignores the signal does not keep the turn", async () => {
    const test = await start([[reply.text("Hello!"), reply.stall({ ignoreAbort: true })], [reply.stall({ ignoreAbort: true, beforeStream: true })]]);
    for (const type of ["part.delta", "step.started"] as const) {
      const turn = test.session.prompt("Hi");
      await nextEvent(test.session, type);
      await turn.abort();
      expect((await turn.settled).outcome).toBe("aborted");
    }
    expectDone(test);
  });

  it("is told: the call's own signal is aborted", async () => {
    const test = await start([[reply.text("Hello!"), reply.stall()]]);
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "part.delta");
    expect(test.model.signals[0]?.aborted).toBe(false);
    await turn.abort();
    expect(test.model.signals[0]?.aborted).toBe(true);
    expectDone(test);
  });

  it("that throws an AbortError of its own was not cancelled by anybody: the turn is an error", async () => {
    const abort = new DOMException("This operation was aborted", "AbortError");
    const test = await start([reply.error(abort), [reply.text("Half"), reply.error(abort)]]);
    expect(await test.session.prompt("Hi").settled).toMatchObject({ outcome: "error", error: { name: "AbortError" } });
    expect(await test.session.prompt("Hi").settled).toMatchObject({ outcome: "error", text: "Half" });
    expectDone(test);
  });
});

describe("a caller's signal", () => {
  it("has no listener left when the turn is over, however it ended", async () => {
    const { controller, listeners } = countedController();
    const { signal } = controller;
    const test = await start([reply.text("a"), reply.error(new Error("no")), [reply.text("b"), reply.stall()]]);
    await test.session.prompt("1", { abortSignal: signal });
    await test.session.prompt("2", { abortSignal: signal }).settled;
    const third = test.session.prompt("3", { abortSignal: signal });
    await nextEvent(test.session, "part.delta");
    expect(listeners()).toBeGreaterThan(0);
    await third.abort();
    expect(listeners()).toBe(0);
    expectDone(test);
  });
});

describe("the model of a prompt", () => {
  it("is still loading when the abort comes: the turn ends all the same", async () => {
    const never: LanguageModel = { specificationVersion: "v4", provider: "p", modelId: "m", supportedUrls: {}, doGenerate: () => new Promise(() => undefined), doStream: () => new Promise(() => undefined) };
    const test = await start([]);
    const turn = test.session.prompt("Hi", { model: never });
    await nextEvent(test.session, "step.started");
    await turn.abort();
    expect((await turn.settled).outcome).toBe("aborted");
    expectDone(test);
  });
});
