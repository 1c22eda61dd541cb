import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock, reply } from "throughline/testing";
import { echoTool, expectDone, gatedTool, nextEvent, resultsIn, start, textsIn, type SessionTestOptions } from "./session-under-test.ts";

describe("the last step that a turn may take", () => {
  it("withholds tools by tool choice, and tells the model in the user's role", async () => {
    const { echo, runs } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("This is how far I came.")], { tools: { echo }, maxSteps: 2 });
    const result = await test.session.prompt("Hi");
    expect(result).toMatchObject({ outcome: "limit", text: "This is how far I came.", steps: 2, error: { code: "steps" } });
    const [first, last] = test.model.requests;
    expect(first?.toolChoice).toEqual({ type: "auto" });
    expect(last?.toolChoice).toEqual({ type: "none" });
    expect(last?.tools).toEqual(first?.tools);
    expect(["user", "tool"]).toContain(last?.prompt.at(-1)?.role);
    const note = textsIn(last).find((text) => text.includes("limit"));
    expect(note).toMatch(/^user: .*limit.*done.*remains.*next/s);
    expect(textsIn(first).some((text) => text.includes("limit"))).toBe(false);
    expect(runs).toEqual(["a"]);
    expectDone(test);
  });

  it("keeps its note in the transcript, so that the next request begins like the last one", async () => {
    const { echo } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("So far."), reply.text("Further.")], { tools: { echo }, maxSteps: 2 });
    await test.session.prompt("Hi");
    await test.session.prompt("Go on");
    const [, last, next] = test.model.requests;
    expect(JSON.stringify(next?.prompt.slice(0, last?.prompt.length))).toBe(JSON.stringify(last?.prompt));
    const notes = (await test.session.messages()).flatMap(({ parts }) => parts.filter((part) => part.type === "text" && part.synthetic === true));
    expect(notes).toHaveLength(1);
    expectDone(test);
  });

  it("has its note in the result as in the store, on whichever message it is, but not in the answer's text", async () => {
    for (const joins of [false, true]) {
      const { gate, open, whenStarted } = gatedTool();
      const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("So far.")], { tools: { gate }, maxSteps: 2 });
      const turn = test.session.prompt("Hi");
      await whenStarted("a");
      if (joins) await test.session.prompt("And this", { delivery: "steer" }).accepted;
      open("a");
      const { messages, text } = await turn;
      expect(messages).toEqual((await test.session.messages()).filter(({ info }) => info.role === "assistant"));
      expect(text).toBe("So far.");
      expectDone(test);
    }
  });

  it("does not run what the model calls all the same, and is the last call", async () => {
    const { echo, runs } = echoTool();
    const test = await start(() => reply.toolCall("echo", { text: "again" }), { tools: { echo }, maxSteps: 3 });
    const result = await test.session.prompt("Hi").settled;
    expect(result).toMatchObject({ outcome: "limit", steps: 3, error: { code: "steps" } });
    expect(runs).toEqual(["again", "again"]);
    expect(result.toolErrors.map(({ error }) => error)).toEqual([expect.stringContaining("step limit")]);
    expect(test.model.calls).toBe(3);
    expectDone(test);
  });

  it("may be the first one", async () => {
    const { echo, runs } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" })], { tools: { echo }, maxSteps: 1 });
    expect(await test.session.prompt("Hi").settled).toMatchObject({ outcome: "limit", steps: 1 });
    expect(runs).toEqual([]);
    expect(test.model.requests[0]?.toolChoice).toEqual({ type: "none" });
    expectDone(test);
  });

  it("bounds the model's calls for any tools, offered or not, and any limit", async () => {
    const { echo } = echoTool();
    const agents = fc.constantFrom<SessionTestOptions>({}, { tools: { echo } }, { tools: { echo }, permissions: [{ permission: "*", pattern: "*", action: "deny" }] });
    await fc.assert(
      fc.asyncProperty(agents, fc.constantFrom("echo", "ghost"), fc.integer({ min: 1, max: 5 }), async (options, tool, maxSteps) => {
        const test = await start(() => reply.toolCall(tool, { text: "again" }), { ...options, maxSteps });
        expect(await test.session.prompt("Hi").settled).toMatchObject({ outcome: "limit", steps: maxSteps, error: { code: "steps" } });
        expect(test.model.calls).toBe(maxSteps);
        expectDone(test);
      }),
      { numRuns: 30 },
    );
  });

  it("lets no prompt join a turn that could not answer it", async () => {
    const clock = manualClock();
    const test = { ...(await start([reply.text("One."), reply.text("Two.")], { scripted: { delayMs: 10, clock }, clock, maxSteps: 1 })), clock };
    const begun = nextEvent(test.session, "step.started");
    const first = test.session.prompt("first");
    await begun;
    const second = test.session.prompt("second", { delivery: "steer" });
    await second.accepted;
    await clock.advance(1000);
    expect(await first).toMatchObject({ outcome: "answered", text: "One." });
    await clock.advance(1000);
    expect(await second).toMatchObject({ outcome: "answered", text: "Two." });
    expectDone(test);
  });

  it("needs no note where there are no tools to withhold: one step answers", async () => {
    const test = await start([reply.text("Hello!")], { maxSteps: 1 });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "answered" });
    expect(textsIn(test.model.requests[0])).toEqual(["user: Hi"]);
    expectDone(test);
  });

  it("is counted anew for each turn, and a prompt may set its own limit", async () => {
    const { echo, runs } = echoTool();
    const script = [reply.toolCall("echo", { text: "1" }), reply.text("One."), reply.toolCall("echo", { text: "2" }), reply.toolCall("echo", { text: "3" }), reply.text("Two.")];
    const test = await start(script, { tools: { echo }, maxSteps: 3 });
    expect(await test.session.prompt("1")).toMatchObject({ outcome: "answered", steps: 2 });
    expect(await test.session.prompt("2", { maxSteps: 5 })).toMatchObject({ outcome: "answered", steps: 3 });
    expect(runs).toEqual(["1", "2", "3"]);
    expectDone(test);
  });

  it("leaves a transcript that can be continued", async () => {
    const { echo } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("Go on then.")], { tools: { echo }, maxSteps: 1 });
    await test.session.prompt("Hi").settled;
    // With one step only, the second prompt's step is the last one too: what counts is that its request is legal.
    await test.session.prompt("Go on").settled;
    expect(resultsIn(test.model.requests[1])).toMatchObject([["call_1", "error-text", expect.stringContaining("step limit")]]);
    expectDone(test);
  });
});
