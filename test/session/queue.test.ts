import { describe, expect, it } from "vitest";
import { createAgent, memoryStorage, QueueFullError, type SessionEventType, type Turn } from "throughline";
import { manualClock, reply, scriptedModel, strictModel } from "throughline/testing";
import { echoTool, eventsOfType, expectDone, gatedTool, start, textsIn } from "./session-under-test.ts";

describe("prompts while a turn runs", () => {
  it("wait, and run in the order in which they came", async () => {
    const test = await start(["One.", "Two.", "Three."].map((text) => reply.text(text)));
    const turns = ["1", "2", "3"].map((text) => test.session.prompt(text));
    expect((await Promise.all(turns)).map(({ text }) => text)).toEqual(["One.", "Two.", "Three."]);
    expect(eventsOfType(test.events, "turn.finished").map(({ messageID }) => messageID)).toEqual(turns.map(({ messageID }) => messageID));
    expect((await test.session.messages()).map(({ info }) => info.role)).toEqual(["user", "assistant", "user", "assistant", "user", "assistant"]);
    expectDone(test);
  });

  it("do not leak into the running turn's requests", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One."), reply.text("Two.")], { tools: { gate } });
    const first = test.session.prompt("first");
    await whenStarted("a");
    const second = test.session.prompt("second");
    await second.accepted;
    expect((await test.session.queue()).map(({ info }) => info.id)).toEqual([second.messageID]);
    expect((await test.session.messages()).map(({ info }) => info.id)).not.toContain(second.messageID);
    open("a");
    await Promise.all([first, second]);
    expect(test.model.requests.map((request) => textsIn(request).includes("user: second"))).toEqual([false, false, true]);
    expect(test.session.status).toEqual({ type: "idle" });
    expectDone(test);
  });

  it("are busy throughout: the session is idle only once, at the end", async () => {
    const test = await start([reply.text("One."), reply.text("Two.")]);
    await Promise.all([test.session.prompt("1"), test.session.prompt("2")]);
    expect(eventsOfType(test.events, "session.status").map(({ status }) => status.type)).toEqual(["busy", "idle"]);
  });
});

describe("a prompt from inside a listener", () => {
  const lastStep: SessionEventType[] = ["step.started", "part.updated", "part.delta", "step.finished", "message.updated", "turn.finished", "session.updated", "session.status"];
  it.each(lastStep)("of %s is answered: no wake-up is lost", async (type) => {
    for (const delivery of ["queue", "steer"] as const) {
      const test = await start([reply.text("One."), reply.text("Two.")]);
      let second: Turn | undefined;
      test.session.on(type, (event) => {
        // `session.status` fires for busy first: its last event is what matters.
        if (second === undefined && !(event.type === "session.status" && event.status.type === "busy")) second = test.session.prompt("second", { delivery });
      });
      await test.session.prompt("first");
      expect(await second).toMatchObject({ outcome: "answered" });
      expect(test.session.status).toEqual({ type: "idle" });
      expect((await test.storage.inbox(test.session.id)).queued).toEqual([]);
    }
  });

  it("right after the turn has settled is answered too", async () => {
    const test = await start([reply.text("One."), reply.text("Two.")]);
    const { text } = await test.session.prompt("first").settled.then(() => test.session.prompt("second"));
    expect(text).toBe("Two.");
    expectDone(test);
  });
});

describe("a queue that is full", () => {
  it("refuses one more prompt, which is not stored; all that were accepted are answered or cancelled", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One."), reply.text("Two.")], { tools: { gate }, maxQueued: 2 });
    const running = test.session.prompt("first");
    await whenStarted("a");
    const [second, third] = [test.session.prompt("second"), test.session.prompt("third")];
    const refused = test.session.prompt("one too many");
    await expect(refused.accepted).rejects.toMatchObject({ code: "queue-full", sessionID: test.session.id });
    await expect(refused).rejects.toBeInstanceOf(QueueFullError);
    expect(await test.session.queue()).toHaveLength(2);
    await test.session.cancel(third.messageID);
    open("a");
    const settled = await Promise.all([running.settled, second.settled, third.settled]);
    expect(settled.map(({ outcome }) => outcome)).toEqual(["answered", "answered", "cancelled"]);
    expect(eventsOfType(test.events, "prompt.admitted")).toHaveLength(3);
    expectDone(test);
  });
});

describe("two agents on one storage that prompt one session", () => {
  it("have every prompt answered exactly once", async () => {
    const clock = manualClock();
    const storage = memoryStorage({ clock });
    const { echo } = echoTool();
    const model = strictModel(scriptedModel((request) => reply.text(`Answer to ${textsIn(request).at(-1) ?? ""}`)));
    const agents = [0, 1].map(() => createAgent({ model, storage, clock, tools: { echo } }));
    const first = await agents[0]?.session({ id: "shared" });
    const second = await agents[1]?.session({ id: "shared" });
    if (first === undefined || second === undefined) throw new Error("Both agents exist.");
    const turns = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? first : second).prompt(`question ${index}`));
    let open = turns.length;
    for (const turn of turns) void turn.settled.then(() => (open -= 1));
    // A session that another agent runs is looked at now and then: time must pass for that.
    for (let polls = 0; open > 0 && polls < 1000; polls += 1) await clock.advance(250);
    const results = await Promise.all(turns);
    expect(results.map(({ text }) => text)).toEqual(turns.map((_, index) => `Answer to user: question ${index}`));
    expect(model.calls).toBe(turns.length);
    const messages = await first.messages();
    expect(messages.map(({ info }) => info.role)).toEqual(turns.flatMap(() => ["user", "assistant"]));
    expect(model.violations).toEqual([]);
    expect(clock.pending()).toBe(0);
  });
});
