import { describe, expect, it } from "vitest";
import { PromptNotFoundError, createAgent, memoryStorage, type Storage, type Turn } from "throughline";
import { manualClock, reply } from "throughline/testing";
import { intercepted, isCommitOf } from "../adversarial/faulty-storage.ts";
import { eventsOf, eventsOfType, expectDone, gatedTool, nextEvent, start, textsIn } from "./session-under-test.ts";

describe("cancel", () => {
  it("takes a prompt out of the queue, with an event", async () => {
    const test = await start([reply.stall(), reply.text("Three.")]);
    const [running, cancelled, last] = ["1", "2", "3"].map((text) => test.session.prompt(text)) as [Turn, Turn, Turn]; // Three texts make three turns.
    await nextEvent(test.session, "step.started");
    await Promise.all([cancelled.accepted, last.accepted]);
    await test.session.cancel(cancelled.messageID);
    expect(await cancelled).toMatchObject({ outcome: "cancelled", text: "", steps: 0, messages: [] });
    expect(eventsOfType(test.events, "prompt.cancelled")).toMatchObject([{ messageID: cancelled.messageID, turnID: cancelled.messageID }]);
    await running.abort();
    expect((await last).text).toBe("Three.");
    expect(textsIn(test.model.requests[1])).not.toContain("user: 2");
    expectDone(test);
  });

  it("refuses what is not queued: unknown, running or done", async () => {
    const test = await start([reply.text("One."), reply.stall()]);
    const done = test.session.prompt("1");
    await done;
    const running = test.session.prompt("2");
    await nextEvent(test.session, "step.started");
    for (const id of ["nobody", done.messageID, running.messageID]) await expect(test.session.cancel(id)).rejects.toThrow(PromptNotFoundError);
    await running.abort();
    expectDone(test);
  });
});

describe("a cancellation that comes from another process", () => {
  it("settles the turn here, too", async () => {
    const test = await start([reply.stall(), reply.text("Three.")]);
    const running = test.session.prompt("1");
    const cancelled = test.session.prompt("2");
    await nextEvent(test.session, "step.started");
    await cancelled.accepted;
    const other = await createAgent({ model: test.model, storage: test.storage, clock: test.clock }).session(test.session.id);
    await other.cancel(cancelled.messageID);
    await running.abort();
    expect(await cancelled.settled).toMatchObject({ outcome: "cancelled" });
    expect((await test.session.prompt("3")).text).toBe("Three.");
    expectDone(test);
  });

  it("between the reading of the queue and the promotion keeps the prompt from running, and hurts nothing", async () => {
    const clock = manualClock();
    const memory = memoryStorage({ clock });
    // The other process is quicker than the promotion of the second prompt.
    const storage: Storage = {
      ...memory,
      commit: async (batch) => {
        if (batch.operations[0]?.type === "message.promote" && batch.operations[0].messageID === "second") {
          await memory.commit({ sessionID: batch.sessionID, operations: [{ type: "prompt.cancel", messageID: "second", time: 0 }] });
        }
        return memory.commit(batch);
      },
    };
    const test = await start([reply.text("One."), reply.text("Three.")], { clock, storage });
    const turns = ["first", "second", "third"].map((id) => test.session.prompt(id, { id }));
    expect((await Promise.all(turns.map(({ settled }) => settled))).map(({ outcome, text }) => [outcome, text])).toEqual([
      ["answered", "One."],
      ["cancelled", ""],
      ["answered", "Three."],
    ]);
    expect(clock.pending()).toBe(0);
  });
});

describe("a cancellation whose answer is lost", () => {
  it("is one all the same, with its event; a second one is refused, also at the same time", async () => {
    const clock = manualClock();
    let lost = false;
    const storage = intercepted(memoryStorage({ clock }), async (method, next, _count, given) => {
      const answer = await next();
      if (lost || !isCommitOf("prompt.cancel", method, given)) return answer;
      lost = true;
      throw new Error("connection reset");
    });
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One.")], { clock, storage, tools: { gate } });
    const first = test.session.prompt("1");
    await whenStarted("a");
    const second = test.session.prompt("2");
    const events = eventsOf(second);
    await second.accepted;
    const cancelled = test.session.cancel(second.messageID);
    const again = test.session.cancel(second.messageID);
    const refused = expect(again).rejects.toThrow(PromptNotFoundError);
    await clock.advance(1000);
    await cancelled;
    await refused;
    expect((await second.settled).outcome).toBe("cancelled");
    expect((await events).at(-1)?.type).toBe("prompt.cancelled");
    expect(eventsOfType(test.events, "prompt.cancelled")).toHaveLength(1);
    open("a");
    expect((await first).text).toBe("One.");
    expectDone(test);
  });

  it("is told from another process's", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One.")], { tools: { gate } });
    const first = test.session.prompt("1");
    await whenStarted("a");
    const second = test.session.prompt("2");
    await second.accepted;
    await test.storage.commit({ sessionID: test.session.id, operations: [{ type: "prompt.cancel", messageID: second.messageID, time: 7 }] });
    await expect(test.session.cancel(second.messageID)).rejects.toThrow(PromptNotFoundError);
    open("a");
    await first;
    expect((await second.settled).outcome).toBe("cancelled");
    expect(eventsOfType(test.events, "prompt.cancelled")).toEqual([]);
    expectDone(test);
  });
});
