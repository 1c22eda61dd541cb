import { describe, expect, it } from "vitest";
import { ConflictError, type TurnResult } from "throughline";
import { reply } from "throughline/testing";
import { expectDone, nextEvent, resultsIn, start } from "../session-under-test.ts";
import { sharedStore } from "../recovery/crash.ts";
import { askAll, askStory, bashTool, callStates, nextAsk, openAsk } from "./asked.ts";

const call = (command: string) => reply.toolCall("bash", { command });
const release = { mode: "release" } as const;

describe("a turn that is released while it waits", () => {
  it("ends as waiting, and goes on after the reply", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll, asks: release });
    const turn = test.session.prompt("Hi");
    const result = await turn;
    const ask = await openAsk(test.session);
    expect(result).toMatchObject({ outcome: "waiting", messageID: turn.messageID, steps: 1, asks: [ask] });
    expect(test.session.status).toEqual({ type: "idle" });
    expect(test.clock.pending()).toBe(0);
    const [prompt] = await test.session.messages();
    expect(prompt?.info).not.toHaveProperty("outcome");
    expect(await callStates(test.session)).toEqual(["pending"]);

    await test.session.reply(ask.id, { decision: "once" });
    const resumed = test.session.resume();
    expect(await resumed).toMatchObject({ outcome: "answered", text: "Done.", steps: 2 });
    expect(resumed.messageID).toBe(turn.messageID);
    expect(runs).toEqual(["ls"]);
    expect(resultsIn(test.model.requests[1])).toEqual([["call_1", "text", "ran ls"]]);
    expect(askStory(test.events)).toEqual(["ask.created ls", "ask.replied ls once"]);
    expectDone(test);
  });

  it("waits and goes on in the midst of a conversation, as often as it has to", async () => {
    const { bash, runs } = bashTool();
    const test = await start([reply.text("Hi."), call("a"), call("b"), reply.text("Done."), call("c"), reply.text("Done again.")], { tools: { bash }, permissions: askAll, asks: release });
    await test.session.prompt("Hello");
    let result: TurnResult = await test.session.prompt("Hi");
    for (let round = 0; round < 2; round += 1) {
      expect(result).toMatchObject({ outcome: "waiting" });
      await test.session.reply((await openAsk(test.session)).id, { decision: "once" });
      result = await test.session.resume();
    }
    expect(result).toMatchObject({ outcome: "answered", text: "Done.", steps: 3 });
    await test.session.prompt("Hi");
    await test.session.reply((await openAsk(test.session)).id, { decision: "once" });
    expect(await test.session.resume()).toMatchObject({ text: "Done again." });
    expect(runs).toEqual(["a", "b", "c"]);
    expectDone(test);
  });

  it("lets its other calls settle first, and keeps waiting until all asks are answered", async () => {
    const { bash, runs } = bashTool();
    const permissions = [{ permission: "bash", pattern: "ask*", action: "ask" } as const];
    const test = await start([[call("ask 1"), call("ls"), call("ask 2")].flat(), reply.text("Done.")], { tools: { bash }, permissions, asks: release });
    const first = await test.session.prompt("Hi");
    expect(runs).toEqual(["ls"]);
    expect(await callStates(test.session)).toEqual(["pending", "completed", "pending"]);
    const [one, two] = await test.session.asks();
    expect(first).toMatchObject({ outcome: "waiting", asks: [one, two] });
    expect(await test.session.resume()).toMatchObject({ outcome: "waiting" });
    await test.session.reply(two?.id ?? "", { decision: "once" });
    expect(await test.session.resume()).toMatchObject({ outcome: "waiting", asks: [one] });
    expect(runs).toEqual(["ls", "ask 2"]);
    await test.session.reply(one?.id ?? "", { decision: "reject", message: "Not that." });
    expect(await test.session.resume()).toMatchObject({ outcome: "answered" });
    expect(await callStates(test.session)).toEqual(["error", "completed", "completed"]);
    expectDone(test);
  });

  it("is not replaced by the prompts that follow: they queue behind it", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls"), reply.text("First."), reply.text("Second.")], { tools: { bash }, permissions: askAll, asks: release });
    const first = test.session.prompt("First?");
    expect(await first).toMatchObject({ outcome: "waiting" });
    const second = test.session.prompt("Second?");
    await second.accepted;
    await test.clock.advance(10_000);
    expect((await test.session.queue()).map(({ info }) => info.id)).toEqual([second.messageID]);
    expect(test.session.status).toEqual({ type: "idle" });
    await test.session.reply((await openAsk(test.session)).id, { decision: "once" });
    await test.clock.advance(1_000);
    expect(runs).toEqual([]);
    expect(await test.session.resume()).toMatchObject({ text: "First." });
    expect(await second).toMatchObject({ text: "Second." });
    expectDone(test);
  });

  it("can be aborted, which lets the prompts behind it run", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls"), reply.text("Second.")], { tools: { bash }, permissions: askAll, asks: release });
    await test.session.prompt("First?");
    const second = test.session.prompt("Second?");
    await second.accepted;
    await test.clock.advance(1_000);
    const ask = await openAsk(test.session);
    await test.session.abort();
    expect(await second).toMatchObject({ outcome: "answered", text: "Second." });
    const [prompt] = await test.session.messages();
    expect(prompt?.info).toMatchObject({ outcome: { type: "aborted" } });
    expect(await callStates(test.session)).toEqual(["error"]);
    await expect(test.session.reply(ask.id, { decision: "once" })).rejects.toThrow(ConflictError);
    expectDone(test);
  });

  it("behind which a prompt waits lets that one be cancelled, and its session be closed", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls")], { tools: { bash }, permissions: askAll, asks: release });
    await test.session.prompt("First?");
    const second = test.session.prompt("Second?");
    const third = test.session.prompt("Third?");
    await Promise.all([second.accepted, third.accepted]);
    await test.clock.advance(1_000);
    await second.abort();
    expect(await second).toMatchObject({ outcome: "cancelled" });
    await test.agent.close();
    await expect(third).rejects.toThrow(/is closed/);
    expect((await test.storage.inbox(test.session.id)).queued).toHaveLength(1);
    expect(test.clock.pending()).toBe(0);
  });

  it("ends as rejected when its time is over at last, whoever notices", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls")], { tools: { bash }, permissions: askAll, asks: { mode: "release", timeoutMs: 60_000 } });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "waiting" });
    await test.clock.advance(60_000);
    expect(await test.session.resume()).toMatchObject({ outcome: "rejected", toolErrors: [{ error: expect.stringContaining("nobody answered in time") as string }] });
    expect(runs).toEqual([]);
    expectDone(test);
  });

  it("refuses a reply that comes too late, and is rejected by it", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls")], { tools: { bash }, permissions: askAll, asks: { mode: "release", timeoutMs: 60_000 } });
    await test.session.prompt("Hi");
    await test.clock.advance(60_001);
    const ask = await openAsk(test.session);
    await expect(test.session.reply(ask.id, { decision: "once" })).rejects.toThrow(/time .* is over/);
    expect(await test.session.resume()).toMatchObject({ outcome: "rejected" });
    expect(runs).toEqual([]);
    expectDone(test);
  });
});

describe("a prompt that is given again while its turn waits", () => {
  it("ends as waiting as well", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls")], { tools: { bash }, permissions: askAll, asks: release });
    await test.session.prompt("Hi", { id: "msg_mine" });
    expect(await test.session.prompt("Hi", { id: "msg_mine" })).toMatchObject({ outcome: "waiting" });
    expectDone(test);
  });
});

describe("an ask that outlives its process", () => {
  it.each(["hold", "release"] as const)("is answered from another one, and the call runs once there (%s)", async (mode) => {
    const store = sharedStore();
    const first = bashTool();
    const dead = await store.start([call("ls")], { tools: { bash: first.bash }, permissions: askAll, asks: { mode } });
    const asked = nextAsk(dead.session);
    const turn = dead.session.prompt("Hi");
    await asked;
    if (mode === "release") await turn;
    await store.crash();

    const { bash, runs } = bashTool();
    const next = await store.start([reply.text("Done.")], { tools: { bash }, permissions: askAll, asks: { mode } });
    const ask = await openAsk(next.session);
    await next.session.reply(ask.id, { decision: "once" });
    await store.clock.advance(1_000);
    // Nothing resumes by itself.
    expect(runs).toEqual([]);
    expect(await next.session.resume()).toMatchObject({ outcome: "answered", text: "Done." });
    expect([first.runs, runs]).toEqual([[], ["ls"]]);
    expect(resultsIn(next.model.requests[0])).toEqual([["call_1", "text", "ran ls"]]);
    expect(next.model.violations).toEqual([]);
  });

  it("is waited for again by the turn that is resumed", async () => {
    const store = sharedStore();
    const dead = await store.start([call("ls")], { tools: { bash: bashTool().bash }, permissions: askAll });
    const asked = nextAsk(dead.session);
    void dead.session.prompt("Hi");
    await asked;
    await store.crash();

    const { bash, runs } = bashTool();
    const next = await store.start([reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const waiting = nextEvent(next.session, "session.status", ({ status }) => status.type === "waiting");
    const turn = next.session.resume();
    await waiting;
    await store.clock.advance(3_600_000);
    await next.session.reply((await openAsk(next.session)).id, { decision: "once" });
    expect(await turn).toMatchObject({ outcome: "answered" });
    expect(runs).toEqual(["ls"]);
  });

  it("is gone on with by itself where sessions resume by themselves", async () => {
    const store = sharedStore();
    const dead = await store.start([call("ls")], { tools: { bash: bashTool().bash }, permissions: askAll });
    const asked = nextAsk(dead.session);
    void dead.session.prompt("Hi");
    const { id } = await asked;
    await store.crash();
    const { bash, runs } = bashTool();
    const next = await store.start([reply.text("Done.")], { tools: { bash }, permissions: askAll, resume: "auto" });
    const done = nextEvent(next.session, "turn.finished");
    await next.session.reply(id, { decision: "once" });
    expect(await done).toMatchObject({ outcome: "answered" });
    expect(runs).toEqual(["ls"]);
  });

  it("keeps its place before the prompts that come after the crash", async () => {
    const store = sharedStore();
    const dead = await store.start([call("ls")], { tools: { bash: bashTool().bash }, permissions: askAll });
    const asked = nextAsk(dead.session);
    void dead.session.prompt("First?");
    const { id } = await asked;
    await store.crash();
    const { bash } = bashTool();
    const next = await store.start([reply.text("First."), reply.text("Second.")], { tools: { bash }, permissions: askAll });
    const second = next.session.prompt("Second?");
    await second.accepted;
    await store.clock.advance(1_000);
    expect(next.model.requests).toHaveLength(0);
    await next.session.reply(id, { decision: "once" });
    expect(await next.session.resume()).toMatchObject({ text: "First." });
    expect(await second).toMatchObject({ text: "Second." });
  });

  it("was answered with always: the rules are saved by who carries it out, and answer the others", async () => {
    const store = sharedStore();
    const dead = await store.start([[call("ls"), call("ls")].flat()], { tools: { bash: bashTool().bash }, permissions: askAll, asks: release });
    const result = await dead.session.prompt("Hi");
    await store.crash();
    const { bash, runs } = bashTool();
    const next = await store.start([reply.text("Done.")], { tools: { bash }, permissions: askAll, asks: release });
    await next.session.reply(result.outcome === "waiting" ? (result.asks[0]?.id ?? "") : "", { decision: "always" });
    let ending = await next.session.resume();
    if (ending.outcome === "waiting") ending = await next.session.resume();
    expect(ending).toMatchObject({ outcome: "answered" });
    expect(runs).toEqual(["ls", "ls"]);
    expect(next.session.info.permission).toEqual([{ permission: "bash", pattern: "ls", action: "allow" }]);
  });

  it("does not allow what is denied by now", async () => {
    const store = sharedStore();
    const dead = await store.start([call("ls")], { tools: { bash: bashTool().bash }, permissions: askAll, asks: release });
    await dead.session.prompt("Hi");
    await store.crash();
    const { bash, runs } = bashTool();
    const next = await store.start([reply.text("Done.")], { tools: { bash }, permissions: [{ permission: "bash", pattern: "ls", action: "deny" }] });
    await next.session.reply((await openAsk(next.session)).id, { decision: "once" });
    expect(await next.session.resume()).toMatchObject({ outcome: "answered", toolErrors: [{ error: expect.stringContaining("not permitted") as string }] });
    expect(runs).toEqual([]);
    expect(await next.agent.asks()).toEqual([]);
  });
});

describe("closing a session whose turn waits", () => {
  it("leaves the ask answerable, and the turn to whoever resumes it", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    await test.session.close();
    expect(await turn).toMatchObject({ outcome: "waiting", asks: [ask] });
    expect(test.clock.pending()).toBe(0);
    const again = await test.agent.session(test.session.id);
    await again.reply(ask.id, { decision: "once" });
    expect(await again.resume()).toMatchObject({ outcome: "answered" });
    expect(runs).toEqual(["ls"]);
  });

  it("while another call runs ends that call only", async () => {
    const { bash, runs } = bashTool();
    const slow = { ...bash, permission: () => ({ patterns: ["slow"] }), execute: () => new Promise<string>(() => undefined) };
    const permissions = [{ permission: "bash", action: "ask" } as const];
    const test = await start([[call("ls"), reply.toolCall("slow", { command: "x" })].flat(), reply.text("Done.")], { tools: { bash, slow }, permissions });
    const turn = test.session.prompt("Hi");
    const started = nextEvent(test.session, "tool.started");
    const ask = await nextAsk(test.session);
    await started;
    await test.clock.advance(0);
    const closing = test.session.close();
    await test.clock.advance(250);
    await closing;
    expect(await turn).toMatchObject({ outcome: "waiting", asks: [ask] });
    const again = await test.agent.session(test.session.id);
    await again.reply(ask.id, { decision: "once" });
    expect(await again.resume()).toMatchObject({ outcome: "answered", toolErrors: [{ tool: "slow", error: expect.stringContaining("stopped") as string }] });
    expect(runs).toEqual(["ls"]);
  });
});
