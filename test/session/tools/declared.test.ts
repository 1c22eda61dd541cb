import { describe, expect, it } from "vitest";
import { createAgent, defineTool } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";
import { expectDone, gatedTool, nextEvent, resultsIn, start } from "../session-under-test.ts";

const nothing = z.object({});

describe("a tool that throws", () => {
  const failing = (times: number, declared: { readOnly?: boolean; idempotent?: boolean; retry?: number }) => {
    const runs = { count: 0 };
    const subject = defineTool({
      description: "Fails at first.",
      input: nothing,
      ...declared,
      execute: () => {
        runs.count += 1;
        if (runs.count <= times) throw new Error(`failure ${runs.count}`);
        return "ran";
      },
    });
    return { subject, runs };
  };

  it.each([
    ["runs once more when it is read-only", 1, { readOnly: true }, 2, "ran"],
    ["runs once more when it is idempotent", 1, { idempotent: true }, 2, "ran"],
    ["does not run a third time by itself", 2, { readOnly: true }, 2, "failure 2"],
    ["runs as often as it says", 3, { readOnly: true, retry: 3 }, 4, "ran"],
    ["runs once when it wants no more", 1, { idempotent: true, retry: 0 }, 1, "failure 1"],
    ["runs once when it may have done something", 1, {}, 1, "failure 1"],
  ])("%s", async (_what, times, declared, runs, result) => {
    const tool = failing(times, declared);
    const test = await start([reply.toolCall("subject"), reply.text("Done.")], { tools: { subject: tool.subject } });
    await test.session.prompt("Go.");
    expect(tool.runs.count).toBe(runs);
    expect(resultsIn(test.model.requests[1])[0]?.[2]).toContain(result);
    expectDone(test);
  });

  it("may not be run again by itself when nobody knows what it has done", () => {
    expect(() => defineTool({ description: "Writes.", input: nothing, retry: 1, execute: () => "" })).toThrow(/neither readOnly nor idempotent/);
  });
});

describe("a tool with an idle limit", () => {
  it("goes on as long as it makes progress, and is stopped when it makes none", async () => {
    const { gate, started, signals, whenStarted } = gatedTool();
    const ticks: (() => void)[] = [];
    const subject = defineTool({
      description: "Works.",
      input: z.object({ name: z.string() }),
      idleTimeoutMs: 1000,
      execute: (input, context) => {
        ticks.push(() => { context.progress({ title: "tick" }); });
        return gate.execute(input, context);
      },
    });
    const test = await start([reply.toolCall("subject", { name: "a" }), reply.text("Done.")], { tools: { subject } });
    const turn = test.session.prompt("Go.");
    await whenStarted("a");
    for (let second = 0; second < 5; second += 1) {
      await test.clock.advance(900);
      ticks[0]?.();
    }
    await test.clock.advance(999);
    expect([started, signals[0]?.aborted]).toEqual([["a"], false]);
    await test.clock.advance(1);
    await turn;
    expect(signals[0]?.aborted).toBe(true);
    expect(resultsIn(test.model.requests[1])[0]?.[2]).toContain("no progress for 1000 ms");
    expectDone(test);
  });

  it("is stopped by its whole time, too", async () => {
    const subject = defineTool({
      description: "Works.",
      input: nothing,
      idleTimeoutMs: 1000,
      timeoutMs: 1500,
      execute: (_input, { progress }) => {
        progress({ title: "begun" });
        return new Promise<string>(() => undefined);
      },
    });
    const test = await start([reply.toolCall("subject"), reply.text("Done.")], { tools: { subject } });
    test.session.on("tool.progress", () => void test.clock.advance(900));
    const turn = test.session.prompt("Go.");
    await nextEvent(test.session, "tool.started");
    await test.clock.advance(1500);
    await turn;
    expectDone(test);
  });
});

describe("locks", () => {
  const lockingTool = () => {
    const gated = gatedTool();
    const edit = defineTool({ description: "Edits.", input: z.object({ name: z.string(), paths: z.array(z.string()) }), locks: ({ paths }) => paths, execute: (input, context) => gated.gate.execute(input, context) });
    return { ...gated, edit };
  };

  it("keep calls that want the same apart, and let all others run side by side", async () => {
    const { edit, started, open, whenStarted } = lockingTool();
    const call = (name: string, ...paths: string[]) => reply.toolCall("edit", { name, paths });
    const test = await start([[call("a", "x", "y"), call("b", "y", "x"), call("c", "z")], reply.text("Done.")], { tools: { edit } });
    const turn = test.session.prompt("Go.");
    await Promise.all([whenStarted("a"), whenStarted("c")]);
    await test.clock.advance(10);
    expect(started.sort()).toEqual(["a", "c"]);
    open("a");
    await whenStarted("b");
    open("b");
    open("c");
    await turn;
    expect(resultsIn(test.model.requests[1]).map(([, , value]) => value)).toEqual(["opened a", "opened b", "opened c"]);
    expectDone(test);
  });

  it("hold over all sessions of an agent", async () => {
    const { edit, started, open, whenStarted } = lockingTool();
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === "tool" ? reply.text("Done.") : reply.toolCall("edit", { name: JSON.stringify(prompt).includes("one") ? "one" : "two", paths: ["x"] })));
    const agent = createAgent({ model, tools: { edit } });
    const [first, second] = [await agent.session(), await agent.session()];
    const turns = [first.prompt("one")];
    await whenStarted("one");
    const waits = nextEvent(second, "part.updated", ({ part }) => part.type === "tool");
    turns.push(second.prompt("two"));
    await waits;
    expect(started).toEqual(["one"]);
    open("one");
    await whenStarted("two");
    open("two");
    await Promise.all(turns);
    await agent.close();
  });

  it("are let go of when the turn is aborted, by who holds them and by who waits", async () => {
    const { edit, open, whenStarted } = lockingTool();
    const call = (name: string) => reply.toolCall("edit", { name, paths: ["x"] });
    const test = await start([[call("a"), call("b")], call("c"), reply.text("Done.")], { tools: { edit } });
    const turn = test.session.prompt("Go.");
    await whenStarted("a");
    const aborted = test.session.abort();
    await test.clock.advance(250);
    await aborted;
    expect((await turn.settled).outcome).toBe("aborted");
    const next = test.session.prompt("Again.");
    await whenStarted("c");
    open("c");
    await next;
    expectDone(test);
  });

  it("are free while a person is asked, before the call and in it", async () => {
    const order: string[] = [];
    const edit = defineTool({
      description: "Edits.",
      input: z.object({ name: z.string(), asks: z.boolean() }),
      locks: () => ["x"],
      execute: async ({ name, asks }, context) => {
        order.push(`${name} begins`);
        if (asks) await context.ask({ title: "Sure?" });
        order.push(`${name} ends`);
        return name;
      },
    });
    const test = await start([[reply.toolCall("edit", { name: "a", asks: true }), reply.toolCall("edit", { name: "b", asks: false })], reply.text("Done.")], { tools: { edit } });
    const asked = nextEvent(test.session, "ask.created");
    const other = nextEvent(test.session, "tool.finished");
    const turn = test.session.prompt("Go.");
    const { ask } = await asked;
    await other;
    await test.session.reply(ask.id, { decision: "answer", answers: "yes" });
    await turn;
    expect(order).toEqual(["a begins", "b begins", "b ends", "a ends"]);
    expectDone(test);
  });

  it("that a tool cannot name keep its call from running", async () => {
    const subject = defineTool({ description: "Edits.", input: nothing, locks: () => "x" as unknown as string[], execute: () => "ran" });
    const test = await start([reply.toolCall("subject"), reply.text("Done.")], { tools: { subject } });
    await test.session.prompt("Go.");
    expect(resultsIn(test.model.requests[1])).toMatchObject([["call_1", "error-text", expect.stringContaining("locks() must return a list")]]);
    expectDone(test);
  });
});

describe("the end of what a tool works for", () => {
  it("is told to every tool: a session that was removed, an agent that was closed; one that fails hurts nobody", async () => {
    const told: string[] = [];
    const keeper = defineTool({
      description: "Keeps.",
      input: nothing,
      execute: () => "",
      onSessionRemoved: ({ sessionID }) => told.push(`removed ${sessionID}`),
      onClose: () => told.push("closed"),
    });
    const fail = () => { throw new Error("no"); };
    const broken = defineTool({ description: "Breaks.", input: nothing, execute: () => "", onSessionRemoved: fail, onClose: () => Promise.reject(new Error("no")) });
    const test = await start([], { tools: { broken, keeper } });
    await test.session.remove();
    await (await test.agent.session()).close();
    expect(told).toEqual([`removed ${test.session.id}`]);
    await test.agent.close();
    expect(told).toEqual([`removed ${test.session.id}`, "closed"]);
    expect(test.problems).toEqual(['onSessionRemoved of tool "broken" failed.', 'onClose of tool "broken" failed.']);
  });

  it("is waited for so long and no longer", async () => {
    const slow = defineTool({ description: "Slow.", input: nothing, execute: () => "", onClose: () => new Promise(() => undefined) });
    const test = await start([], { tools: { slow } });
    const closing = test.agent.close();
    await test.clock.advance(30_000);
    await closing;
    expect(test.problems).toEqual(['onClose of tool "slow" failed.']);
    expect(test.clock.pending()).toBe(0);
  });
});
