import { describe, expect, it } from "vitest";
import { defineTool, memoryStorage, type Storage, type ToolContext } from "throughline";
import { manualClock, reply } from "throughline/testing";
import { z } from "zod";
import { countedController, echoTool, eventsOfType, expectDone, gatedTool, nextEvent, resultsIn, start } from "./session-under-test.ts";

const gateCalls = (...names: string[]) => names.map((name) => reply.toolCall("gate", { name }));

describe("the calls of a step", () => {
  it("run side by side; results stand in call order however long each takes", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([gateCalls("a", "b", "c"), reply.text("Done.")], { tools: { gate } });
    const turn = test.session.prompt("Hi");
    await Promise.all(["a", "b", "c"].map(whenStarted));
    for (const name of ["c", "b", "a"]) {
      const finished = nextEvent(test.session, "tool.finished");
      open(name);
      if (name !== "a") await finished;
    }
    await turn;
    expect(resultsIn(test.model.requests[1])).toEqual([
      ["call_1", "text", "opened a"],
      ["call_2", "text", "opened b"],
      ["call_3", "text", "opened c"],
    ]);
    expectDone(test);
  });

  it("run at most as many at once as the limit says", async () => {
    const { gate, started, open, whenStarted } = gatedTool();
    const test = await start([gateCalls("a", "b", "c"), reply.text("Done.")], { tools: { gate }, concurrency: { tools: 2 } });
    const turn = test.session.prompt("Hi");
    await Promise.all([whenStarted("a"), whenStarted("b")]);
    await test.clock.advance(0);
    expect(started).toEqual(["a", "b"]);
    open("b");
    await whenStarted("c");
    open("a");
    open("c");
    await turn;
    expectDone(test);
  });

  it("may have the same id, in one step or over steps: each has its own result, and ids sent are unique", async () => {
    const { echo, runs } = echoTool();
    const call = (text: string) => reply.toolCall("echo", { text }, { id: "call_0" });
    const test = await start([[call("a"), call("b")], call("c"), reply.text("Done.")], { tools: { echo } });
    await test.session.prompt("Hi");
    expect(runs).toEqual(["a", "b", "c"]);
    const results = resultsIn(test.model.requests[2]);
    expect(results.map(([, , value]) => value)).toEqual(["echo: a", "echo: b", "echo: c"]);
    expect(new Set(results.map(([callID]) => callID)).size).toBe(3);
    const stored = (await test.session.messages()).flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" && part.state.status === "completed" ? [part.state.output] : [])));
    expect(stored).toEqual(["echo: a", "echo: b", "echo: c"]);
    expectDone(test);
  });

  it("are stored as running before the tool starts, however slow the store is", async () => {
    const clock = manualClock();
    const memory = memoryStorage({ clock });
    const commits: Promise<unknown>[] = [];
    const slow: Storage = {
      ...memory,
      commit: async (batch) => {
        await clock.advance(1);
        const commit = memory.commit(batch);
        commits.push(commit);
        return commit;
      },
    };
    let stored: unknown;
    const look = defineTool({
      description: "Looks at the store.",
      input: z.object({ what: z.string() }),
      execute: async (_input, { sessionID, partID }) => {
        const { items } = await memory.listMessages(sessionID);
        stored = items.flatMap(({ parts }) => parts).find(({ id }) => id === partID);
        return "seen";
      },
    });
    const test = await start([reply.toolCall("look", { what: "x" }), reply.text("Done.")], { tools: { look }, storage: slow, clock });
    await test.session.prompt("Hi");
    expect(commits.length).toBeGreaterThan(0);
    expect(stored).toMatchObject({ type: "tool", callID: "call_1", state: { status: "running", input: { what: "x" } } });
  });

  it("get the context that the AI SDK promises, and ours", async () => {
    let context: ToolContext | undefined;
    const look = defineTool({
      description: "Looks.",
      input: z.object({}),
      execute: (_input, given) => {
        context = given;
        return "";
      },
    });
    const test = await start([reply.toolCall("look"), reply.text("Done.")], { tools: { look }, name: "helper" });
    const { messages, messageID } = await test.session.prompt("Hi");
    const call = messages[0]?.parts.find((part) => part.type === "tool");
    expect(context).toMatchObject({
      toolCallId: "call_1",
      callID: "call_1",
      messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
      sessionID: test.session.id,
      messageID: messages[0]?.info.id,
      partID: call?.id,
      turnID: messageID,
      agent: "helper",
    });
    expect(context?.abortSignal).toBeInstanceOf(AbortSignal);
    expect(context?.abortSignal.aborted).toBe(false);
    expectDone(test);
  });

  it("get an input of their own: changing it changes nothing that is stored", async () => {
    const greedy = defineTool({
      description: "Changes its input.",
      input: z.looseObject({ list: z.array(z.string()) }),
      execute: (input) => {
        input.list.push("mine");
        return "";
      },
    });
    const test = await start([reply.toolCall("greedy", { list: ["a"] }), reply.text("Done.")], { tools: { greedy } });
    const { messages } = await test.session.prompt("Hi");
    expect(messages[0]?.parts.find((part) => part.type === "tool")).toMatchObject({ state: { status: "completed", input: { list: ["a"] } } });
    expectDone(test);
  });
});

describe("a tool that takes too long", () => {
  it("ends as an error result by the tool's own limit; the turn goes on, and the late result is ignored", async () => {
    const { gate, open, signals, whenStarted } = gatedTool();
    const test = await start([gateCalls("a"), reply.text("It took too long.")], { tools: { gate: { ...gate, timeoutMs: 5000 } } });
    const turn = test.session.prompt("Hi");
    await whenStarted("a");
    await test.clock.advance(4999);
    expect(eventsOfType(test.events, "tool.finished")).toEqual([]);
    await test.clock.advance(1);
    expect(await turn).toMatchObject({ outcome: "answered", toolErrors: [{ error: expect.stringContaining("did not end within 5000 ms") as string }] });
    expect(signals[0]?.aborted).toBe(true);
    open("a", "far too late");
    await test.clock.advance(0);
    expect(JSON.stringify(await test.session.messages())).not.toContain("far too late");
    expect(eventsOfType(test.events, "tool.finished")).toMatchObject([{ status: "error", durationMs: 5000 }]);
    expectDone(test);
  });

  it("ends by the agent's limit when it has none of its own", async () => {
    const { gate, whenStarted } = gatedTool();
    const test = await start([gateCalls("a"), reply.text("Fine.")], { tools: { gate }, timeouts: { toolMs: 100 } });
    const turn = test.session.prompt("Hi");
    await whenStarted("a");
    await test.clock.advance(100);
    expect((await turn).toolErrors[0]?.error).toContain("100 ms");
    expectDone(test);
  });

  it("stops no other call of the step", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const { echo } = echoTool();
    const calls = [...gateCalls("a"), reply.toolCall("echo", { text: "b" }), reply.toolCall("patient", { name: "c" })];
    const tools = { gate: { ...gate, timeoutMs: 10 }, patient: gate, echo };
    const test = await start([calls, reply.text("Done.")], { tools });
    const turn = test.session.prompt("Hi");
    await Promise.all([whenStarted("a"), whenStarted("c")]);
    await test.clock.advance(10);
    open("c");
    await turn;
    expect(resultsIn(test.model.requests[1]).map(([, type]) => type)).toEqual(["error-text", "text", "text"]);
    expectDone(test);
  });
});

describe("300 calls in one turn", () => {
  it("leave no listener on a signal and no timer", async () => {
    const { echo, runs } = echoTool();
    const { controller, listeners } = countedController();
    const { signal } = controller;
    const signals: AbortSignal[] = [];
    const look = defineTool({ description: "Looks.", input: z.object({}), execute: (_input, { abortSignal }) => void signals.push(abortSignal) });
    const step = [...Array.from({ length: 9 }, (_, index) => reply.toolCall("echo", { text: String(index) })), reply.toolCall("look")];
    const test = await start((_request, index) => (index < 30 ? step : reply.text("Done.")), { tools: { echo, look } });
    expect(await test.session.prompt("Hi", { abortSignal: signal })).toMatchObject({ outcome: "answered", steps: 31 });
    expect(runs).toHaveLength(270);
    expect(listeners()).toBe(0);
    expectDone(test);
    // The turn is over: its signal reaches nobody any more.
    controller.abort();
    await test.clock.advance(1000);
    expect(signals.some(({ aborted }) => aborted)).toBe(false);
  });
});
