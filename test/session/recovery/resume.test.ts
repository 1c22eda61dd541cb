import { describe, expect, it } from "vitest";
import { createAgent, defineTool, NothingToResumeError, type ToolPart, type UserMessage } from "throughline";
import { reply, scriptedModel, strictModel } from "throughline/testing";
import { z } from "zod";
import { eventsOfType, gatedTool, nextEvent, resultsIn, textsIn } from "../session-under-test.ts";
import { sharedStore, type Process } from "./crash.ts";

async function prompts({ session }: Process): Promise<UserMessage[]> {
  return (await session.messages()).flatMap(({ info }) => (info.role === "user" ? [info] : []));
}

async function calls({ session }: Process): Promise<ToolPart[]> {
  return (await session.messages()).flatMap(({ parts }) => parts.filter((part) => part.type === "tool"));
}

describe("a turn that a crash cut in its text", () => {
  async function cut(): Promise<ReturnType<typeof sharedStore>> {
    const store = sharedStore();
    const first = await store.start([[reply.text("Half an ans"), reply.stall()]]);
    first.session.prompt("Hi", { id: "p" });
    await nextEvent(first.session, "part.delta");
    await store.clock.advance(300);
    await store.crash();
    return store;
  }

  it("is continued by resume(): under the same ids, with what was said shown to the model", async () => {
    const store = await cut();
    const second = await store.start([reply.text("A whole answer.")]);
    const turn = second.session.resume();
    const result = await turn;
    expect(result).toMatchObject({ outcome: "answered", text: "A whole answer.", messageID: "p" });
    expect(turn.messageID).toBe("p");
    expect(await turn.accepted).toMatchObject({ messageID: "p" });
    expect(textsIn(second.model.requests[0])).toEqual(["user: Hi", "assistant: Half an ans", expect.stringMatching(/^user: \[Engine note: /)]);
    const messages = await second.session.messages();
    expect(messages.map(({ info }) => [info.role, info.position, info.role === "assistant" && [info.step, info.attempt, info.error?.code, info.time.completed !== undefined]])).toEqual([
      ["user", 1, false],
      ["assistant", 2, [1, 1, "interrupted", true]],
      ["assistant", 3, [1, 2, undefined, true]],
    ]);
    expect(eventsOfType(second.events, "turn.finished")).toMatchObject([{ messageID: "p", outcome: "answered" }]);
    expect(second.events.filter(({ type }) => type === "turn.started" || type === "turn.finished").every(({ turnID }) => turnID === "p")).toBe(true);
    expect(second.model.violations).toEqual([]);
    expect(second.session.status).toEqual({ type: "idle" });
  });

  it("is not recovered by reading", async () => {
    const store = await cut();
    const { seq } = (await store.storage.getSession("thread"))!;
    const second = await store.start([]);
    await second.session.messages();
    await second.session.queue();
    expect((await store.storage.getSession("thread"))?.seq).toBe(seq);
  });

  it("is closed as aborted by the next prompt, once", async () => {
    const store = await cut();
    const second = await store.start([reply.text("Fresh.")]);
    expect((await second.session.prompt("Again", { id: "q" })).text).toBe("Fresh.");
    expect(await prompts(second)).toMatchObject([{ id: "p", outcome: { type: "aborted" } }, { id: "q", outcome: { type: "answered" } }]);
    expect(eventsOfType(second.events, "turn.finished").map(({ messageID, outcome, turnID }) => [messageID, outcome, turnID])).toEqual([["p", "aborted", "p"], ["q", "answered", "q"]]);
    expect(textsIn(second.model.requests[0])).toContain("assistant: Half an ans");
    expect(second.model.violations).toEqual([]);
    await expect(second.session.resume()).rejects.toThrow(NothingToResumeError);
  });

  it("goes on by itself with resume: auto", async () => {
    const store = await cut();
    const second = await store.start([reply.text("A whole answer.")], { resume: "auto" });
    await nextEvent(second.session, "turn.finished");
    expect(await prompts(second)).toMatchObject([{ id: "p", outcome: { type: "answered" } }]);
  });

  it("goes on before a prompt that follows resume()", async () => {
    const store = await cut();
    const second = await store.start([reply.text("One."), reply.text("Two.")]);
    const resumed = second.session.resume();
    const next = second.session.prompt("Again");
    expect([(await resumed).text, (await next).text]).toEqual(["One.", "Two."]);
    expect(await prompts(second)).toMatchObject([{ outcome: { type: "answered" } }, { outcome: { type: "answered" } }]);
  });

  it("has one turn for two callers of resume(), also while it runs", async () => {
    const store = await cut();
    const second = await store.start([reply.text("Once.")]);
    const early = second.session.resume();
    const again = second.session.resume();
    await nextEvent(second.session, "step.started");
    const late = second.session.resume();
    expect(late.messageID).toBe("p");
    expect([(await early).text, (await again).text, (await late).text]).toEqual(["Once.", "Once.", "Once."]);
    second.model.assertDone();
  });
});

describe("a call that was running", () => {
  async function cutInTool(idempotent: boolean): Promise<{ store: ReturnType<typeof sharedStore>; runs: string[] }> {
    const store = sharedStore();
    const { gate, whenStarted } = gatedTool();
    const first = await store.start([[reply.text("Working."), reply.toolCall("gate", { name: "a" }, { id: "call_1" }), reply.toolCall("quick", { name: "b" }, { id: "call_2" })]], {
      tools: { gate: { ...gate, idempotent }, quick: { ...gate, execute: () => "quick result" } },
    });
    first.session.prompt("Go", { id: "p" });
    await whenStarted("a");
    await store.clock.advance(10);
    await store.crash();
    return { store, runs: [] };
  }

  it("becomes an error of unknown outcome; finished ones keep their result", async () => {
    const { store } = await cutInTool(false);
    const tool = gatedTool();
    const second = await store.start([reply.text("I looked.")], { tools: { gate: tool.gate, quick: tool.gate } });
    expect(await second.session.resume()).toMatchObject({ outcome: "answered", text: "I looked.", toolErrors: [{ callID: "call_1" }] });
    expect(tool.started).toEqual([]);
    expect(resultsIn(second.model.requests[0])).toEqual([
      ["call_1", "error-text", 'Tool "gate" was interrupted, and its outcome is unknown. Check what was done before you call it again.'],
      ["call_2", "text", "quick result"],
    ]);
    expect(second.model.violations).toEqual([]);
  });

  it("of an idempotent tool runs again, under the same call id and in the same row", async () => {
    const { store } = await cutInTool(true);
    const before = (await store.storage.listMessages("thread")).items[0]?.parts.filter(({ type }) => type === "tool");
    const tool = gatedTool();
    tool.open("a", "done at last");
    const second = await store.start([reply.text("Good.")], { tools: { gate: { ...tool.gate, idempotent: true }, quick: tool.gate } });
    expect(await second.session.resume()).toMatchObject({ outcome: "answered", text: "Good.", toolErrors: [] });
    expect(tool.started).toEqual(["a"]);
    expect(resultsIn(second.model.requests[0])).toEqual([["call_1", "text", "done at last"], ["call_2", "text", "quick result"]]);
    expect((await calls(second)).map(({ id }) => id)).toEqual(before?.map(({ id }) => id));
    expect(eventsOfType(second.events, "tool.started")).toMatchObject([{ callID: "call_1" }]);
    expect(second.model.violations).toEqual([]);
  });

  it("of an idempotent tool that is denied now does not run again: its outcome is unknown", async () => {
    const { store } = await cutInTool(true);
    const tool = gatedTool();
    const second = await store.start([reply.text("Good.")], { tools: { gate: { ...tool.gate, idempotent: true }, quick: tool.gate }, permissions: [{ permission: "gate", pattern: "*", action: "deny" }] });
    await second.session.resume();
    expect(tool.started).toEqual([]);
    expect(resultsIn(second.model.requests[0])[0]?.[2]).toContain("outcome is unknown");
  });

  it("of an idempotent tool runs again under the next prompt, too", async () => {
    const { store } = await cutInTool(true);
    const tool = gatedTool();
    tool.open("a", "done at last");
    const second = await store.start([reply.text("Good.")], { tools: { gate: { ...tool.gate, idempotent: true }, quick: tool.gate } });
    await second.session.prompt("Next");
    expect(resultsIn(second.model.requests[0])[0]).toEqual(["call_1", "text", "done at last"]);
    expect(await prompts(second)).toMatchObject([{ outcome: { type: "aborted" } }, { outcome: { type: "answered" } }]);
  });

  it("again, and is aborted: the interrupted turn ends, and no model call follows", async () => {
    const { store } = await cutInTool(true);
    const tool = gatedTool();
    const second = await store.start([], { tools: { gate: { ...tool.gate, idempotent: true }, quick: tool.gate } });
    const turn = second.session.resume();
    await tool.whenStarted("a");
    const aborted = second.session.abort();
    await store.clock.advance(1000);
    await aborted;
    expect((await turn.settled).outcome).toBe("aborted");
    expect(second.model.calls).toBe(0);
  });
});

describe("resume()", () => {
  it("with nothing to resume takes no lease, and its turn says so", async () => {
    const store = sharedStore();
    const first = await store.start([reply.text("Hi.")]);
    await first.session.prompt("Hi");
    const { seq } = (await store.storage.getSession("thread"))!;
    const turn = first.session.resume();
    await expect(turn).rejects.toThrow(NothingToResumeError);
    await expect(turn.accepted).rejects.toThrow(NothingToResumeError);
    expect((await store.storage.getSession("thread"))?.seq).toBe(seq);
    expect((await first.session.resume().settled).outcome).toBe("error");
    expect(first.session.status).toEqual({ type: "idle" });
  });

  it("runs what is queued, and is the turn of its first prompt", async () => {
    const store = sharedStore();
    const first = await store.start([reply.stall()]);
    first.session.prompt("1", { id: "a" });
    await nextEvent(first.session, "step.started");
    await first.session.prompt("2", { id: "b" }).accepted;
    await first.session.prompt("3", { id: "c" }).accepted;
    await first.session.close();
    const second = await store.start([reply.text("Two."), reply.text("Three.")]);
    const finished = nextEvent(second.session, "turn.finished", ({ messageID }) => messageID === "c");
    expect(await second.session.resume()).toMatchObject({ messageID: "b", text: "Two." });
    await finished;
    expect((await prompts(second)).map(({ outcome }) => outcome?.type)).toEqual(["aborted", "answered", "answered"]);
  });

  it("in another process follows the turn that runs", async () => {
    const store = sharedStore();
    const { gate, open, whenStarted } = gatedTool();
    const one = await store.start([reply.toolCall("gate", { name: "a" }), reply.text("Done.")], { tools: { gate } });
    one.session.prompt("Go", { id: "p" });
    await whenStarted("a");
    const other = createAgent({ model: strictModel(scriptedModel([])), storage: store.storage, clock: store.clock });
    const session = await other.session("thread");
    const turn = session.resume();
    expect(await turn.accepted).toMatchObject({ messageID: "p" });
    open("a");
    const settled = turn.settled;
    await store.clock.advance(1000);
    expect(await settled).toMatchObject({ outcome: "answered", text: "Done." });
  });
});

describe("steps", () => {
  it("of a resumed turn count from its first process on", async () => {
    const store = sharedStore();
    const { gate, whenStarted } = gatedTool();
    const quick = defineTool({ description: "Quick.", input: z.object({}), execute: () => "ok" });
    const first = await store.start([reply.toolCall("quick", {}), reply.toolCall("gate", { name: "a" })], { tools: { gate, quick } });
    first.session.prompt("Go", { maxSteps: 3 });
    await whenStarted("a");
    await store.crash();
    const second = await store.start([reply.text("Enough.")], { tools: { gate, quick } });
    expect(await second.session.resume()).toMatchObject({ outcome: "limit", text: "Enough.", steps: 3, error: { code: "steps" } });
    expect(second.model.requests[0]?.toolChoice).toEqual({ type: "none" });
    const { tokens } = (await store.storage.getSession("thread"))!;
    const messages = await second.session.messages();
    expect(tokens.output).toBe(messages.reduce((sum, { info }) => sum + (info.role === "assistant" ? info.tokens.output : 0), 0));
    expect(tokens.output).toBeGreaterThan(0);
  });
});
