import { describe, expect, it } from "vitest";
import { InterruptedTurnError, SessionClosedError, type AgentOptions, type Tool, type ToolPart, type Turn } from "throughline";
import { reply, type ModelRequest, type Reply, type Script } from "throughline/testing";
import { eventsOfType, gatedTool, nextEvent, resultsIn, textsIn } from "../session-under-test.ts";
import { livingStore, pollMs, ttlMs, type LivingProcess, type LivingStore } from "./living.ts";

type Until = "part.delta" | "tool.started" | "step.finished";

/** A process that runs the turn of a prompt whose caller waits in another one. */
interface Followed {
  store: LivingStore;
  owner: LivingProcess;
  /** Where the prompt `asked` came from. */
  asker: LivingProcess;
  asked: Turn;
  /** The tool of the owner, which takes no notice of its signal. */
  tool: ReturnType<typeof gatedTool>;
}

/**
 * @param begin what the owner's model says to the prompt of the other process
 * @param options.until how far that has come
 */
async function followed(begin: Reply, askerScript: Script, { until = "part.delta", ...options }: Partial<AgentOptions> & { gate?: Partial<Tool>; until?: Until } = {}): Promise<Followed> {
  const store = livingStore();
  const tool = gatedTool();
  const { gate, ...rest } = options;
  const tools = { gate: Object.assign({}, tool.gate, gate) };
  const owner = await store.start([reply.toolCall("gate", { name: "mine" }), reply.text("Mine."), begin], { ...rest, tools });
  const mine = owner.session.prompt("Mine", { id: "mine" });
  await tool.whenStarted("mine");
  const asker = await store.start(askerScript, { ...rest, tools: { gate: Object.assign({}, gatedTool().gate, gate, { execute: () => "ran again" }) } });
  const asked = asker.session.prompt("Asked", { id: "asked" });
  await asked.accepted;
  const begun = nextEvent<Until>(owner.session, until, (event) => event.turnID === "asked");
  tool.open("mine");
  await mine;
  await begun;
  return { store, owner, asker, asked, tool };
}

async function promptsIn({ storage }: LivingStore): Promise<[string, string | undefined][]> {
  const { items } = await storage.listMessages("thread");
  return items.flatMap(({ info }): [string, string | undefined][] => (info.role === "user" ? [[info.id, info.outcome?.type]] : [])).reverse();
}

async function callsIn({ storage }: LivingStore): Promise<ToolPart[]> {
  return (await storage.listMessages("thread")).items.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"));
}

function expectSound({ store, owner, asker }: Followed): void {
  expect([...owner.model.violations, ...asker.model.violations]).toEqual([]);
  expect(asker.session.status).toEqual({ type: "idle" });
  expect(store.clock.pending()).toBe(0);
}

describe("close() during a turn that another process prompted", () => {
  it("hands it over: the text that had come is kept, and it goes on where its caller waits", async () => {
    const test = await followed([reply.text("Half an ans"), reply.stall()], [reply.text("A whole answer.")]);
    const { store, owner, asker, asked } = test;
    await owner.session.close();
    expect(await promptsIn(store)).toEqual([["mine", "answered"], ["asked", undefined]]);
    expect(eventsOfType(owner.events, "turn.finished").map(({ messageID }) => messageID)).toEqual(["mine"]);
    expect(owner.session.status).toEqual({ type: "idle" });
    await store.clock.advance(pollMs);
    expect(await asked).toMatchObject({ outcome: "answered", text: "A whole answer.", messageID: "asked", steps: 2 });
    expect(textsIn(asker.model.requests[0]).slice(-3)).toEqual(["user: Asked", "assistant: Half an ans", expect.stringMatching(/^user: \[Engine note: /)]);
    expect(eventsOfType(asker.events, "turn.finished")).toMatchObject([{ messageID: "asked", outcome: "answered" }]);
    expectSound(test);
  });

  it("lets a tool that heeds its signal give its result; the others' outcome is unknown", async () => {
    const calls = [reply.toolCall("gate", { name: "deaf" }, { id: "call_a" }), reply.toolCall("gate", { name: "quick" }, { id: "call_b" })].flat();
    const test = await followed(calls, [reply.text("I looked.")], { until: "tool.started" });
    const { store, owner, asker, asked, tool } = test;
    await Promise.all([tool.whenStarted("deaf"), tool.whenStarted("quick")]);
    const closed = owner.session.close();
    tool.open("quick", "just in time");
    await store.clock.advance(250);
    await closed;
    expect(tool.signals.every(({ aborted }) => aborted)).toBe(false);
    expect(tool.signals.slice(1).every(({ aborted }) => aborted)).toBe(true);
    const finished = asked.settled;
    await store.clock.advance(pollMs);
    expect(await finished).toMatchObject({ outcome: "answered", text: "I looked." });
    expect(resultsIn(asker.model.requests[0]).slice(-2)).toEqual([
      ["call_a", "error-text", 'Tool "gate" was interrupted, and its outcome is unknown. Check what was done before you call it again.'],
      ["call_b", "text", "just in time"],
    ]);
    expectSound(test);
  });

  it("has an idempotent tool run again there, under the same call id", async () => {
    const test = await followed(reply.toolCall("gate", { name: "deaf" }, { id: "call_a" }), [reply.text("Good.")], { gate: { idempotent: true }, until: "tool.started" });
    const { store, owner, asker, asked, tool } = test;
    await tool.whenStarted("deaf");
    const closed = owner.agent.close();
    await store.clock.advance(250);
    await closed;
    await store.clock.advance(pollMs);
    expect(await asked).toMatchObject({ outcome: "answered", text: "Good.", toolErrors: [] });
    expect(resultsIn(asker.model.requests[0]).at(-1)).toEqual(["call_a", "text", "ran again"]);
    expect(await callsIn(store)).toHaveLength(2);
    expectSound(test);
  });

  it("ends it after all when nothing is left to do", async () => {
    const test = await followed(reply.text("Done."), [], { until: "step.finished" });
    const { store, owner, asked } = test;
    await owner.session.close();
    const settled = asked.settled;
    await store.clock.advance(pollMs);
    expect(await settled).toMatchObject({ outcome: "answered", text: "Done." });
    expectSound(test);
  });

  it("hands over a turn that prompts of both have joined; the own one's turn says that it is stored", async () => {
    const test = await followed(reply.toolCall("gate", { name: "deaf" }), [reply.text("Both.")], { until: "tool.started" });
    const { store, owner, asked, tool } = test;
    await tool.whenStarted("deaf");
    const joins = owner.session.prompt("Mine, too", { id: "joins", delivery: "steer" });
    await joins.accepted;
    tool.open("deaf");
    await nextEvent(owner.session, "prompt.promoted");
    await owner.session.close();
    await expect(joins.then()).rejects.toBeInstanceOf(SessionClosedError);
    const settled = asked.settled;
    await store.clock.advance(pollMs);
    expect(await settled).toMatchObject({ outcome: "answered", text: "Both." });
    expect(await promptsIn(store)).toEqual([["mine", "answered"], ["asked", "answered"], ["joins", "answered"]]);
    expectSound(test);
  });

  it("leaves it owed when nobody waits any more: resume() continues it", async () => {
    const { store, owner, asker } = await followed([reply.text("Half"), reply.stall()], []);
    asker.kill();
    await owner.session.close();
    await store.clock.advance(ttlMs);
    expect(await promptsIn(store)).toEqual([["mine", "answered"], ["asked", undefined]]);
    const third = await store.start([reply.text("A whole answer.")]);
    expect(await third.session.resume()).toMatchObject({ outcome: "answered", messageID: "asked" });
  });

  it("hands it over also where the same prompt was delivered here again: it is stored, and answered elsewhere", async () => {
    const test = await followed([reply.text("Half"), reply.stall()], [reply.text("A whole answer.")]);
    const { store, owner, asked } = test;
    const again = owner.session.prompt("Asked", { id: "asked" });
    await again.accepted;
    await owner.session.close();
    await expect(again.then()).rejects.toBeInstanceOf(SessionClosedError);
    const settled = asked.settled;
    await store.clock.advance(pollMs);
    expect((await settled).outcome).toBe("answered");
    expectSound(test);
  });

  it("does not lose an abort that comes at the same time", async () => {
    const test = await followed([reply.text("Half"), reply.stall()], []);
    const { store, owner, asked } = test;
    const closed = owner.session.close();
    const aborted = asked.abort();
    await closed;
    await store.clock.advance(2 * pollMs);
    await aborted;
    expect(await asked.settled).toMatchObject({ outcome: "aborted", text: "Half" });
    expect(await promptsIn(store)).toEqual([["mine", "answered"], ["asked", "aborted"]]);
    expect((await store.storage.inbox("thread")).aborts).toEqual([]);
    expectSound(test);
  });
});

describe("close() while another process has just prompted", () => {
  it("does not keep that one waiting until the lease is over", async () => {
    const store = livingStore();
    const tool = gatedTool();
    const owner = await store.start([reply.toolCall("gate", { name: "a" })], { tools: { gate: tool.gate } });
    const mine = owner.session.prompt("Mine");
    await tool.whenStarted("a");
    const other = await store.start([reply.text("Yours.")], { tools: { gate: tool.gate } });
    const closed = owner.session.close();
    const yours = other.session.prompt("Yours");
    await store.clock.advance(250);
    await closed;
    await store.clock.advance(pollMs);
    expect([(await mine.settled).outcome, (await yours).text]).toEqual(["aborted", "Yours."]);
    expect(store.clock.now() - 1_700_000_000_000).toBeLessThan(ttlMs);
  });

  it("of a session that follows another process does not wait for it", async () => {
    const { store, asker, asked, owner } = await followed([reply.text("Half"), reply.stall()], []);
    await asker.session.close();
    await expect(asked.then()).rejects.toBeInstanceOf(SessionClosedError);
    const ended = owner.session.close();
    await ended;
    expect(store.clock.pending()).toBe(0);
  });
});

describe("a process that dies over a turn that another one prompted", () => {
  it("is followed by that one, once its lease is over", async () => {
    const test = await followed([reply.text("Half an ans"), reply.stall()], [reply.text("A whole answer.")]);
    const { store, owner, asker, asked } = test;
    await store.clock.advance(300);
    owner.kill();
    const settled = asked.settled;
    await store.clock.advance(ttlMs + pollMs);
    expect(await settled).toMatchObject({ outcome: "answered", text: "A whole answer." });
    expect(textsIn(asker.model.requests[0])).toContain("assistant: Half an ans");
    expect(asker.model.violations).toEqual([]);
    expect(await promptsIn(store)).toEqual([["mine", "answered"], ["asked", "answered"]]);
  });

  it.each([[1], [pollMs - 1]])("is followed by that one before a prompt of a third one runs that waited, too (phase %i)", async (phaseMs) => {
    const answer = (request: ModelRequest): Reply => reply.text(`Answer to ${textsIn(request).findLast((text) => /^user: (Asked|Behind)/.test(text)) ?? ""}`);
    const { store, owner, asker, asked } = await followed([reply.text("Half an ans"), reply.stall()], answer);
    owner.kill();
    // Which of them asks for the lease first when it is over.
    await store.clock.advance(phaseMs);
    const third = await store.start(answer);
    const behind = third.session.prompt("Behind", { id: "behind" });
    await behind.accepted;
    const settled = Promise.all([asked.settled, behind.settled]);
    await store.clock.advance(ttlMs + 4 * pollMs);
    expect((await settled).map(({ outcome, text }) => [outcome, text])).toEqual([["answered", "Answer to user: Asked"], ["answered", "Answer to user: Behind"]]);
    expect(asker.model.calls + third.model.calls).toBe(2);
    expect(await promptsIn(store)).toEqual([["mine", "answered"], ["asked", "answered"], ["behind", "answered"]]);
  });

  it("over its own turn leaves that to nobody: a prompt that waited behind it closes it", async () => {
    const store = livingStore();
    const owner = await store.start([reply.stall()]);
    owner.session.prompt("Mine", { id: "mine" });
    await nextEvent(owner.session, "step.started");
    const other = await store.start([reply.text("Yours.")]);
    const yours = other.session.prompt("Yours", { id: "yours" });
    await yours.accepted;
    owner.kill();
    const settled = yours.settled;
    await store.clock.advance(ttlMs + 4 * pollMs);
    expect((await settled).text).toBe("Yours.");
    expect(await promptsIn(store)).toEqual([["mine", "aborted"], ["yours", "answered"]]);
  });

  it("is not followed by a prompt that is delivered again: that one is told to resume()", async () => {
    const { store, owner, asker } = await followed([reply.text("Half"), reply.stall()], []);
    asker.kill();
    owner.kill();
    const third = await store.start([reply.text("A whole answer.")]);
    const again = third.session.prompt("Asked", { id: "asked" });
    const failure = again.then(() => undefined, (error: unknown) => error);
    await store.clock.advance(ttlMs + 4 * pollMs);
    expect(await failure).toBeInstanceOf(InterruptedTurnError);
    expect(third.model.calls).toBe(0);
    expect(await third.session.resume()).toMatchObject({ outcome: "answered", messageID: "asked" });
  });

  it('is followed by a prompt that is delivered again where the agent has resume: "auto"', async () => {
    const { store, owner, asker } = await followed([reply.text("Half"), reply.stall()], []);
    asker.kill();
    owner.kill();
    const third = await store.start([reply.text("A whole answer.")], { resume: "auto" });
    const again = third.session.prompt("Asked", { id: "asked" }).settled;
    await store.clock.advance(ttlMs + 4 * pollMs);
    expect((await again).text).toBe("A whole answer.");
  });
});

