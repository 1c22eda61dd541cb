import { describe, expect, it } from "vitest";
import { defineTool } from "throughline";
import { reply } from "throughline/testing";
import { z } from "zod";
import { echoTool, expectDone, gatedTool, nextEvent, resultsIn, start } from "./session-under-test.ts";

describe("an abort while a tool runs", () => {
  it("settles within the grace period although the tool ignores its signal; a late result is ignored", async () => {
    const { gate, open, signals, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("Going on.")], { tools: { gate } });
    const turn = test.session.prompt("Hi");
    await whenStarted("a");
    let over = false;
    void turn.settled.then(() => (over = true));
    void turn.abort();
    expect(signals[0]?.aborted).toBe(true);
    await test.clock.advance(249);
    expect(over).toBe(false);
    await test.clock.advance(1);
    expect(over).toBe(true);
    const { outcome, toolErrors } = await turn.settled;
    expect(outcome).toBe("aborted");
    expect(toolErrors).toMatchObject([{ callID: "call_1", error: expect.stringContaining("aborted while it ran") as string }]);
    const before = await test.session.messages();
    open("a", "far too late");
    await test.clock.advance(1000);
    expect(await test.session.messages()).toEqual(before);

    await test.session.prompt("Go on");
    expect(test.model.requests[1]?.prompt.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(resultsIn(test.model.requests[1])).toMatchObject([["call_1", "error-text", expect.stringContaining("stopped")]]);
    expectDone(test);
  });

  it("keeps the result of a tool that gives one within the grace period", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" })], { tools: { gate } });
    const turn = test.session.prompt("Hi");
    await whenStarted("a");
    void turn.abort();
    await test.clock.advance(100);
    open("a", "just in time");
    const { outcome, messages } = await turn.settled;
    expect(outcome).toBe("aborted");
    expect(messages[0]?.parts.find(({ type }) => type === "tool")).toMatchObject({ state: { status: "completed", output: "just in time" } });
    expectDone(test);
  });

  it("is no failure of a tool that throws because of it", async () => {
    const heeding = defineTool({
      description: "Heeds its signal.",
      input: z.object({}),
      execute: (_input, { abortSignal }) =>
        new Promise<string>((_resolve, reject) => {
          abortSignal.addEventListener("abort", () => {
            reject(abortSignal.reason as Error);
          });
        }),
    });
    const test = await start([reply.toolCall("heeding")], { tools: { heeding } });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "tool.started");
    // The tool starts only when its row is stored.
    await test.clock.advance(0);
    await turn.abort();
    const { outcome, toolErrors } = await turn.settled;
    expect(outcome).toBe("aborted");
    expect(toolErrors[0]?.error).toContain("the turn was aborted while it ran");
    expectDone(test);
  });

  it("starts none of the calls that still wait for a slot, and each has one result", async () => {
    const { gate, open, started, whenStarted } = gatedTool();
    const calls = ["a", "b", "c"].map((name) => reply.toolCall("gate", { name }));
    const test = await start([calls, reply.text("Going on.")], { tools: { gate }, concurrency: { tools: 1 } });
    const turn = test.session.prompt("Hi");
    await whenStarted("a");
    void turn.abort();
    open("a");
    await turn.settled;
    expect(started).toEqual(["a"]);
    await test.session.prompt("Go on");
    expect(resultsIn(test.model.requests[1])).toMatchObject([
      ["call_1", "text", "opened a"],
      ["call_2", "error-text", expect.stringContaining("was not run")],
      ["call_3", "error-text", expect.stringContaining("was not run")],
    ]);
    expectDone(test);
  });

  it("does not wait for a permission policy that never answers", async () => {
    const { echo, runs } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" })], { tools: { echo }, permissions: () => new Promise(() => undefined) });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "part.updated", ({ part }) => part.type === "tool");
    await test.clock.advance(0);
    await turn.abort();
    expect((await turn.settled).outcome).toBe("aborted");
    expect(runs).toEqual([]);
    expectDone(test);
  });

  it("does not wait for instructions that never come", async () => {
    const test = await start([], { instructions: () => new Promise<string>(() => undefined) });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "turn.started");
    await test.clock.advance(0);
    void turn.abort();
    expect((await turn.settled).outcome).toBe("aborted");
    expectDone(test);
  });
});
