import { describe, expect, it } from "vitest";
import { defineTool, type Part, type SessionEvent } from "throughline";
import { reply } from "throughline/testing";
import { z } from "zod";
import { echoTool, eventsOfType, expectDone, gatedTool, nextEvent, start, story } from "./session-under-test.ts";

const withoutDeltas = (events: readonly SessionEvent[]): string[] => story(events).filter((type) => type !== "part.delta");

describe("the order of events", () => {
  it("of a plain answer, all of them", async () => {
    const test = await start([reply.text("Hello!", { chunks: 2 })]);
    await test.session.prompt("Hi");
    const described = test.events.map((event) => {
      switch (event.type) {
        case "message.updated":
          return `${event.type} ${event.message.role}`;
        case "part.updated":
          return `${event.type} ${event.part.type}`;
        case "session.status":
          return `${event.type} ${event.status.type}`;
        default:
          return event.type;
      }
    });
    expect(described.filter((entry) => entry !== "session.updated")).toEqual([
      "prompt.admitted",
      "message.updated user",
      "part.updated text",
      "session.status busy",
      "prompt.promoted",
      "message.updated user",
      "turn.started",
      "message.updated assistant",
      "step.started",
      "part.updated step-start",
      "part.updated text",
      "part.delta",
      "part.delta",
      "part.updated text",
      "part.updated step-finish",
      "step.finished",
      "message.updated assistant",
      "message.updated user",
      "turn.finished",
      "session.status idle",
    ]);
    expectDone(test);
  });

  it("of a step with a tool", async () => {
    const { echo } = echoTool();
    const test = await start([[reply.text("Let me see."), reply.toolCall("echo", { text: "a" })], reply.text("Done.")], { tools: { echo } });
    await test.session.prompt("Hi", { id: "p" });
    expect(withoutDeltas(test.events).filter((type) => !type.startsWith("session."))).toEqual([
      "prompt.admitted",
      "prompt.promoted",
      "turn.started",
      "step.started",
      "step.finished",
      "tool.started",
      "tool.finished",
      "step.started",
      "step.finished",
      "turn.finished",
    ]);
    expect(eventsOfType(test.events, "tool.started")).toMatchObject([{ callID: "call_1", tool: "echo", input: { text: "a" }, turnID: "p" }]);
    expect(eventsOfType(test.events, "tool.finished")).toMatchObject([{ callID: "call_1", tool: "echo", status: "completed", durationMs: 0 }]);
    expect(eventsOfType(test.events, "step.started")).toMatchObject([{ step: 1, attempt: 1 }, { step: 2, attempt: 1 }]);
    expect(eventsOfType(test.events, "step.finished").map(({ finish }) => finish)).toEqual(["tool-calls", "stop"]);
    expectDone(test);
  });

  it("of parallel tools: started in call order, finished in the order in which they end", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([[reply.toolCall("gate", { name: "a" }), reply.toolCall("gate", { name: "b" })], reply.text("Done.")], { tools: { gate } });
    const turn = test.session.prompt("Hi");
    await Promise.all([whenStarted("a"), whenStarted("b")]);
    await test.clock.advance(20);
    const finished = nextEvent(test.session, "tool.finished");
    open("b");
    await finished;
    await test.clock.advance(10);
    open("a");
    await turn;
    const told = test.events.flatMap((event) => (event.type === "tool.started" || event.type === "tool.finished" ? [`${event.type} ${event.callID}`] : []));
    expect(told).toEqual(["tool.started call_1", "tool.started call_2", "tool.finished call_2", "tool.finished call_1"]);
    expect(eventsOfType(test.events, "tool.finished").map(({ durationMs }) => durationMs)).toEqual([20, 30]);
    expectDone(test);
  });

  it("of a failed call", async () => {
    const test = await start([[reply.text("Half"), reply.error(new Error("socket closed"))]]);
    await test.session.prompt("Hi").settled;
    expect(withoutDeltas(test.events).filter((type) => type !== "session.updated" && type !== "session.status")).toEqual([
      "prompt.admitted",
      "prompt.promoted",
      "turn.started",
      "step.started",
      "session.error",
      "turn.finished",
    ]);
    expect(eventsOfType(test.events, "session.error")).toMatchObject([{ error: { message: "socket closed" } }]);
    expectDone(test);
  });

  it("of an abort", async () => {
    const test = await start([[reply.text("Half"), reply.stall()]]);
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "part.delta");
    await turn.abort();
    expect(withoutDeltas(test.events).filter((type) => type !== "session.updated" && type !== "session.status")).toEqual([
      "prompt.admitted",
      "prompt.promoted",
      "turn.started",
      "step.started",
      "turn.finished",
    ]);
    expect(eventsOfType(test.events, "turn.finished")).toMatchObject([{ outcome: "aborted" }]);
    expectDone(test);
  });

  it("of progress, between start and finish", async () => {
    const slow = defineTool({
      description: "Reports.",
      input: z.object({}),
      execute: (_input, { progress }) => {
        progress({ title: "Half way", metadata: { percent: 50 } });
        progress({ metadata: { percent: 90 } });
        return "done";
      },
    });
    const test = await start([reply.toolCall("slow"), reply.text("Done.")], { tools: { slow } });
    await test.session.prompt("Hi");
    expect(story(test.events).filter((type) => type.startsWith("tool."))).toEqual(["tool.started", "tool.progress", "tool.progress", "tool.finished"]);
    expect(eventsOfType(test.events, "tool.progress")).toMatchObject([
      { title: "Half way", metadata: { percent: 50 } },
      { title: "Half way", metadata: { percent: 90 } },
    ]);
    expectDone(test);
  });
});

describe("every event", () => {
  it("carries its session, its root, the time, and a seq that never falls", async () => {
    const { echo } = echoTool();
    const test = await start([[reply.text("ab", { chunks: 2 }), reply.toolCall("echo", { text: "a" })], reply.text("Done.", { chunks: 3 })], { tools: { echo } });
    await test.session.prompt("Hi");
    const time = test.clock.now();
    for (const event of test.events) expect(event).toMatchObject({ sessionID: test.session.id, rootID: test.session.id, time });
    const seqs = test.events.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect((await test.storage.getSession(test.session.id))?.seq).toBe(seqs.at(-1));
  });

  it("comes after the commit of what it tells: a listener that reads the store sees the row", async () => {
    const { echo } = echoTool();
    const test = await start([[reply.reasoning("Hm."), reply.text("a"), reply.toolCall("echo", { text: "a" })], reply.text("Done.")], { tools: { echo } });
    const reads: Promise<void>[] = [];
    const missing: string[] = [];
    // Rows as they are stored at the moment of the event: storage answers from the state of the call.
    const stored = async (): Promise<Part[]> => (await test.storage.listMessages(test.session.id)).items.flatMap(({ parts }) => parts);
    test.session.on("part.updated", ({ part }) => {
      if (part.type === "tool" || part.type === "step-finish") {
        reads.push(
          stored().then((rows) => {
            if (!rows.some(({ id }) => id === part.id)) missing.push(part.id);
          }),
        );
      }
    });
    test.session.on("tool.started", ({ partID }) => {
      reads.push(
        stored().then((rows) => {
          if (!rows.some((row) => row.id === partID && row.type === "tool" && row.state.status !== "pending")) missing.push(partID);
        }),
      );
    });
    await test.session.prompt("Hi");
    await Promise.all(reads);
    expect(reads.length).toBeGreaterThan(4);
    expect(missing).toEqual([]);
  });

  it("of a part comes in this order: created, deltas, final", async () => {
    const test = await start([[reply.reasoning("Let me think.", { chunks: 3 }), reply.text("Hello!", { chunks: 3 })]]);
    await test.session.prompt("Hi");
    const byPart = new Map<string, string[]>();
    for (const event of test.events) {
      if (event.type === "part.updated" && (event.part.type === "reasoning" || (event.part.type === "text" && event.part.time !== undefined))) {
        const phase = event.part.time?.end === undefined ? "created" : "final";
        byPart.set(event.part.id, [...(byPart.get(event.part.id) ?? []), phase]);
      }
      if (event.type === "part.delta") byPart.set(event.partID, [...(byPart.get(event.partID) ?? []), "delta"]);
    }
    const order = ["created", "delta", "delta", "delta", "final"];
    expect([...byPart.values()]).toEqual([order, order]);
  });
});

describe("listeners", () => {
  it("that throw are reported, and hurt neither the others nor the turn", async () => {
    const { echo } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "42" }), (request) => reply.text(JSON.stringify(request.prompt.at(-1)))], { tools: { echo } });
    const heard: string[] = [];
    test.session.on("tool.finished", () => {
      throw new Error("I throw.");
    });
    test.session.on("*", () => {
      throw new Error("I throw at everything.");
    });
    test.session.on("tool.finished", ({ tool }) => heard.push(tool));
    test.agent.on("tool.finished", ({ tool }) => heard.push(tool));
    const { text } = await test.session.prompt("Hi");
    expect(text).toContain("echo: 42");
    expect(heard).toEqual(["echo", "echo"]);
    expect(test.problems).toContain('A listener of "tool.finished" threw.');
    expectDone({ ...test, problems: [] });
  });

  it("are called once with once, and no more after off", async () => {
    const test = await start([reply.text("a"), reply.text("b")]);
    const heard: string[] = [];
    test.session.once("turn.finished", () => heard.push("once"));
    const stop = test.session.on("turn.finished", () => heard.push("on"));
    await test.session.prompt("Hi");
    stop();
    await test.session.prompt("Hi");
    expect(heard).toEqual(["once", "on"]);
  });

  it("of the agent hear all its sessions, their birth too", async () => {
    const test = await start([reply.text("a"), reply.text("b")]);
    const heard: string[] = [];
    test.agent.on("*", ({ type, sessionID }) => {
      if (type === "session.created" || type === "turn.finished") heard.push(`${type} ${sessionID}`);
    });
    const other = await test.agent.session({ id: "other" });
    await Promise.all([test.session.prompt("Hi"), other.prompt("Hi")]);
    expect(heard.sort()).toEqual(["session.created other", "turn.finished other", `turn.finished ${test.session.id}`].sort());
  });
});
