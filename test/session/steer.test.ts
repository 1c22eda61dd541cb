import { describe, expect, it } from "vitest";
import type { PromptOptions, Turn } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { livingStore, pollMs } from "./recovery/living.ts";
import { echoTool, eventsOfType, expectDone, gatedTool, nextEvent, rolesIn, start, textsIn, type SessionUnderTest } from "./session-under-test.ts";

/** A turn that a second prompt has joined, and that stalls. */
async function startJoined(): Promise<{ test: SessionUnderTest; first: Turn; second: Turn }> {
  const { gate, open, whenStarted } = gatedTool();
  const test = await start([reply.toolCall("gate", { name: "a" }), reply.stall()], { tools: { gate } });
  const first = test.session.prompt("first");
  await whenStarted("a");
  const second = test.session.prompt("second", { delivery: "steer" });
  await second.accepted;
  const begun = nextEvent(test.session, "step.started", ({ step }) => step === 2);
  open("a");
  await begun;
  return { test, first, second };
}

describe("a prompt that steers", () => {
  it("joins the running turn at its next step, after the results, and is answered by it", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("Both.")], { tools: { gate } });
    const first = test.session.prompt("first");
    await whenStarted("a");
    const second = test.session.prompt("second", { delivery: "steer" });
    await second.accepted;
    open("a");
    expect((await first).text).toBe("Both.");
    expect(await second).toMatchObject({ messageID: second.messageID, outcome: "answered", text: "Both." });
    expect(rolesIn(test.model.requests[1])).toEqual(["user", "assistant", "tool", "user"]);
    expect(textsIn(test.model.requests[1]).at(-1)).toBe("user: second");
    expect(eventsOfType(test.events, "turn.started")).toHaveLength(1);
    expect(eventsOfType(test.events, "turn.finished").map(({ messageID }) => messageID)).toEqual([second.messageID, first.messageID]);
    expectDone(test);
  });

  it("keeps a turn going that would have ended", async () => {
    const test = await start([reply.text("One.", { chunks: 2 }), reply.text("Two.")]);
    const first = test.session.prompt("first");
    await nextEvent(test.session, "part.delta");
    const second = test.session.prompt("second", { delivery: "steer" });
    expect([(await first).outcome, (await second).text]).toEqual(["answered", "Two."]);
    expectDone(test);
  });

  it("is an ordinary prompt when nothing runs", async () => {
    const test = await start([reply.text("One.")]);
    expect(await test.session.prompt("first", { delivery: "steer" })).toMatchObject({ outcome: "answered", text: "One." });
    expectDone(test);
  });

  it("overtakes prompts that wait", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One and steered."), reply.text("Queued.")], { tools: { gate } });
    const first = test.session.prompt("first");
    await whenStarted("a");
    const queued = test.session.prompt("queued");
    const steered = test.session.prompt("steered", { delivery: "steer" });
    await Promise.all([queued.accepted, steered.accepted]);
    open("a");
    expect((await Promise.all([first, steered, queued])).map(({ text }) => text)).toEqual(["One and steered.", "One and steered.", "Queued."]);
    expectDone(test);
  });

  it("ends the turn that it joined when it is aborted: the two are one turn", async () => {
    const { test, first, second } = await startJoined();
    await second.abort();
    expect([(await first.settled).outcome, (await second.settled).outcome]).toEqual(["aborted", "aborted"]);
    expectDone(test);
  });

  it("does not join, nor end the turn, when its signal was aborted before", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One.")], { tools: { gate } });
    const first = test.session.prompt("first");
    await whenStarted("a");
    const second = test.session.prompt("second", { delivery: "steer", abortSignal: AbortSignal.abort() });
    await second.accepted;
    expect(await second.settled).toMatchObject({ outcome: "cancelled", steps: 0 });
    open("a");
    expect((await first).text).toBe("One.");
    expectDone(test);
  });

  it("shares the outcome of the turn, also when it is aborted", async () => {
    const { test, first, second } = await startJoined();
    await test.session.abort();
    expect([(await first.settled).outcome, (await second.settled).outcome]).toEqual(["aborted", "aborted"]);
    expectDone(test);
  });
});

describe("the options of a prompt that steers", () => {
  it("limit the turn from the joining on: its permissions take away, and give nothing back", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const { echo, runs } = echoTool();
    const script = [
      [reply.toolCall("gate", { name: "a" }), reply.toolCall("echo", { text: "before" })],
      [reply.toolCall("gate", { name: "b" }), reply.toolCall("echo", { text: "ceiling" })],
      [reply.toolCall("gate", { name: "c" }), reply.toolCall("echo", { text: "ceiling of the other" })],
      reply.text("Done."),
    ];
    const test = await start(script, { tools: { gate, echo } });
    const first = test.session.prompt("1");
    await whenStarted("a");
    const second = test.session.prompt("2", { delivery: "steer", permissions: [{ permission: "echo", action: "deny" }] });
    await second.accepted;
    open("a");
    await whenStarted("b");
    const third = test.session.prompt("3", { delivery: "steer", permissions: [{ permission: "*", action: "allow" }, { permission: "gate", action: "deny" }] });
    await third.accepted;
    open("b");
    const { toolErrors } = await first;
    expect(runs).toEqual(["before"]);
    expect(toolErrors.map(({ tool }) => tool)).toEqual(["echo", "gate", "echo"]);
    expect(test.model.requests.slice(0, 2).map(({ tools }) => tools?.map(({ name }) => name))).toEqual([["echo", "gate"], ["gate"]]);
    expect([(await second).text, (await third).text]).toEqual(["Done.", "Done."]);
    expectDone(test);
  });

  it.each<[string, PromptOptions]>([
    ["a system text", { system: "Answer in French." }],
    ["a step limit", { maxSteps: 2 }],
    ["another model", { model: scriptedModel([reply.text("Other.")]) }],
  ])("that a turn has once give it a turn of its own: %s", async (_what, options) => {
    const { gate, open, whenStarted } = gatedTool();
    const other = options.model;
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One."), ...(other === undefined ? [reply.text("Other.")] : [])], { tools: { gate } });
    const first = test.session.prompt("1");
    await whenStarted("a");
    const second = test.session.prompt("2", { delivery: "steer", ...options });
    await second.accepted;
    open("a");
    expect((await first).text).toBe("One.");
    expect(await second).toMatchObject({ outcome: "answered", text: "Other.", steps: 1 });
    if (options.system !== undefined) expect(test.model.requests.map((request) => textsIn(request).includes("system: Answer in French."))).toEqual([false, false, true]);
    expectDone(test);
  });

  it.each([true, false])("from another process joins as well (the store can watch: %s)", async (watches) => {
    const store = livingStore();
    if (!watches) Object.assign(store.storage, { watch: undefined });
    const { gate, open, whenStarted } = gatedTool();
    const owner = await store.start([reply.toolCall("gate", { name: "a" }), reply.text("Both.")], { tools: { gate } });
    const other = await store.start([], { tools: { gate } });
    const first = owner.session.prompt("1");
    await whenStarted("a");
    const second = other.session.prompt("2", { delivery: "steer" });
    await second.accepted;
    await store.clock.advance(pollMs);
    open("a");
    expect((await first).text).toBe("Both.");
    await store.clock.advance(pollMs);
    expect(await second).toMatchObject({ outcome: "answered", text: "Both." });
    expect(textsIn(owner.model.requests[1])).toEqual(["user: 1", "user: 2"]);
  });

  it("may name the model that the turn has: it joins", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("Both.")], { tools: { gate } });
    const first = test.session.prompt("1");
    await whenStarted("a");
    const second = test.session.prompt("2", { delivery: "steer", model: test.model });
    await second.accepted;
    open("a");
    expect([(await first).text, (await second).text]).toEqual(["Both.", "Both."]);
    expectDone(test);
  });
});
