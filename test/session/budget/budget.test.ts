import { describe, expect, it } from "vitest";
import { createAgent, InvalidArgumentError } from "throughline";
import type { AgentOptions, Budget } from "throughline";
import { reply, scriptedModel, type Reply } from "throughline/testing";
import { bashTool } from "../asks/asked.ts";
import { echoTool, eventsOfType, expectDone, gatedTool, nextEvent, start, textsIn } from "../session-under-test.ts";
import { sharedStore } from "../recovery/crash.ts";

/** A text with this in it. `expect` types its matchers as `any`. */
function containing(text: string): unknown {
  return expect.stringContaining(text);
}

/** A call that uses so many tokens. */
function call(text: string, input: number): Reply {
  return [reply.toolCall("echo", { text }), reply.usage({ input, output: 100 })];
}

describe("a budget", () => {
  it("of tokens ends a turn at its limit, with a last answer in text", async () => {
    const { echo, runs } = echoTool();
    const test = await start([call("a", 4_000), call("b", 4_000), [reply.text("As far as I got."), reply.usage({ input: 4_000, output: 50 })]], { tools: { echo }, budget: { tokens: 16_000 } });
    const result = await test.session.prompt("Hi");
    expect(result).toMatchObject({ outcome: "limit", text: "As far as I got.", steps: 3, error: { code: "budget", message: containing("16000 tokens (budget.tokens)") } });
    expect(runs).toEqual(["a", "b"]);
    expect(test.model.requests.at(-1)?.toolChoice).toEqual({ type: "none" });
    expect(textsIn(test.model.requests.at(-1)).join()).toContain("end of its budget");
    expectDone(test);
  });

  it("of cost, too", async () => {
    const { echo } = echoTool();
    const test = await start([call("a", 4_000), [reply.text("Enough."), reply.usage({ input: 4_000, output: 10 })]], { tools: { echo }, prices: { input: 1_000, output: 1_000 }, budget: { cost: 10 } });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "limit", text: "Enough.", steps: 2, error: { code: "budget", message: containing("budget.cost") } });
    expectDone(test);
  });

  it("that covers no call ends the turn before the first one", async () => {
    const test = await start([], { budget: { tokens: 10 } });
    const result = await test.session.prompt("x".repeat(1_000)).settled;
    expect(result).toMatchObject({ outcome: "limit", steps: 0, error: { code: "budget" } });
    expectDone(test);
  });

  it("reserves the answer that is asked for", async () => {
    const test = await start([], { budget: { tokens: 5_000 }, settings: { maxOutputTokens: 6_000 } });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "limit", steps: 0, error: { code: "budget" } });
    expectDone(test);
  });

  it("is no limit for a turn that stays within it", async () => {
    const test = await start([reply.text("Hello!"), reply.text("Again.")], { budget: { tokens: 100_000, durationMs: 1_000 } });
    expect((await test.session.prompt("Hi")).outcome).toBe("answered");
    await test.clock.advance(10_000);
    expect((await test.session.prompt("Hi")).outcome).toBe("answered");
    expectDone(test);
  });

  it("of a prompt replaces the agent's, limit by limit", async () => {
    const test = await start([reply.text("Hello!")], { budget: { tokens: 10, durationMs: 1_000 } });
    expect(await test.session.prompt("Hi", { budget: { tokens: 50_000 } })).toMatchObject({ outcome: "answered" });
    expect((await test.session.messages())[0]?.info).toMatchObject({ budget: { tokens: 50_000 } });
    expectDone(test);
  });

  it("of time counts work, and not what a person takes to answer", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const { bash } = bashTool();
    const script = [reply.toolCall("bash", { command: "ls" }), reply.toolCall("gate", { name: "a" }), reply.text("Out of time.")];
    const test = await start(script, { tools: { bash, gate }, permissions: [{ permission: "*", action: "allow" }, { permission: "bash", action: "ask" }], budget: { durationMs: 10_000 } });
    const turn = test.session.prompt("Hi").settled;
    const { ask } = await nextEvent(test.session, "ask.created");
    await test.clock.advance(3_600_000);
    await test.session.reply(ask.id, { decision: "once" });
    await whenStarted("a");
    await test.clock.advance(6_000);
    open("a");
    expect(await turn).toMatchObject({ outcome: "limit", text: "Out of time.", steps: 3, error: { code: "budget", message: containing("budget.durationMs") } });
    expectDone(test);
  });

  it("counts failed attempts, which are not repeated once it is used up", async () => {
    const empty: Reply = [reply.finish("stop"), reply.usage({ input: 900, output: 0 })];
    const test = await start([empty], { budget: { tokens: 1_000 }, retry: { maxAttempts: 5 } });
    const turn = test.session.prompt("x".repeat(2_000)).settled;
    await test.clock.runAll();
    expect(await turn).toMatchObject({ outcome: "error", error: { code: "empty" } });
    expect(eventsOfType(test.events, "step.retry")).toEqual([]);
    expectDone(test);
  });

  it("survives a crash: what the stored messages used counts", async () => {
    const store = sharedStore();
    const { echo } = echoTool();
    const { gate, whenStarted } = gatedTool();
    const options: Partial<AgentOptions> = { tools: { echo, gate }, budget: { tokens: 8_000 } };
    const first = await store.start([call("a", 2_000), [reply.toolCall("gate", { name: "b" }), reply.usage({ input: 2_000, output: 1 })]], options);
    first.session.prompt("Hi");
    await whenStarted("b");
    await store.crash();
    const next = await store.start([reply.text("That is all.")], options);
    expect(await next.session.resume()).toMatchObject({ outcome: "limit", text: "That is all.", error: { code: "budget" } });
  });

  it("survives a crash with what dropped attempts used", async () => {
    const store = sharedStore();
    const { gate, whenStarted } = gatedTool();
    const options: Partial<AgentOptions> = { tools: { gate }, budget: { tokens: 30_000 }, retry: { baseDelayMs: 1, maxDelayMs: 1 } };
    const empty: Reply = [reply.finish("stop"), reply.usage({ input: 6_000, output: 10 })];
    const first = await store.start([empty, empty, [reply.toolCall("gate", { name: "b" }), reply.usage({ input: 6_000, output: 1 })]], options);
    first.session.prompt("Hi");
    for (let tick = 0; tick < 40 && first.model.requests.length < 3; tick += 1) await store.clock.advance(1_000);
    await whenStarted("b");
    const [, answer] = await first.session.messages();
    expect(answer?.info).toMatchObject({ attempt: 3, dropped: { tokens: { input: 12_000, output: 20 }, durationMs: 0 } });
    await store.crash();
    const next = await store.start([reply.text("That is all.")], options);
    expect(await next.session.resume()).toMatchObject({ outcome: "limit", text: "That is all.", error: { code: "budget", message: containing("18021 are used") } });
  });

  it.each<[number, string, string[]]>([
    [10_000, "limit", []],
    [25_000, "answered", ["Done."]],
  ])("survives a crash with the time that dropped attempts took, and counts nothing of the time in which no process ran: %d ms", async (durationMs, outcome, script) => {
    const store = sharedStore();
    const { gate, whenStarted } = gatedTool();
    const options: Partial<AgentOptions> = { tools: { gate }, retry: { baseDelayMs: 1, maxDelayMs: 1 }, timeouts: { idleMs: 10_000 } };
    const first = await store.start([[reply.text("Well"), reply.stall()], reply.toolCall("gate", { name: "b" })], options);
    first.session.prompt("Hi");
    for (let tick = 0; tick < 60 && first.model.requests.length < 2; tick += 1) await store.clock.advance(500);
    await whenStarted("b");
    await store.crash();
    await store.clock.advance(3_600_000);
    const next = await store.start(script.map((text) => reply.text(text)), { ...options, budget: { durationMs } });
    expect(await next.session.resume().settled).toMatchObject({ outcome });
  });
});

it.each<[string, unknown]>([
  ["tokens", 0],
  ["cost", -1],
  ["durationMs", Number.NaN],
  ["money", 1],
])("a budget with %s: %s is refused", async (name, value) => {
  const budget = { [name]: value } as Budget; // Wrong on purpose.
  expect(() => createAgent({ model: scriptedModel([]), budget })).toThrow(InvalidArgumentError);
  const test = await start([]);
  expect(() => test.session.prompt("Hi", { budget })).toThrow(/budget/);
});
