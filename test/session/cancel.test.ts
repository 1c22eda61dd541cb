import { describe, expect, it } from "vitest";
import { PromptNotFoundError, createAgent, memoryStorage, type Storage, type Turn } from "throughline";
import { manualClock, reply } from "throughline/testing";
import { eventsOfType, expectDone, nextEvent, start, textsIn } from "./session-under-test.ts";

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
