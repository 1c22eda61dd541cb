import { describe, expect, it } from "vitest";
import type { Turn } from "throughline";
import { reply } from "throughline/testing";
import { eventsOfType, expectDone, gatedTool, nextEvent, rolesIn, start, textsIn, type SessionUnderTest } from "./session-under-test.ts";

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
    open("a");
    expect((await first).text).toBe("One.");
    expect(await second.settled).toMatchObject({ outcome: "aborted", steps: 0 });
    expectDone(test);
  });

  it("shares the outcome of the turn, also when it is aborted", async () => {
    const { test, first, second } = await startJoined();
    await test.session.abort();
    expect([(await first.settled).outcome, (await second.settled).outcome]).toEqual(["aborted", "aborted"]);
    expectDone(test);
  });
});
