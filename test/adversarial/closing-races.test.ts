import { describe, expect, it } from "vitest";
import { createAgent, memoryStorage, SessionClosedError } from "throughline";
import { manualClock, reply, scriptedModel, type ModelRequest } from "throughline/testing";
import { eventsOfType, gatedTool, start, textsIn, type SessionUnderTest } from "../session/session-under-test.ts";
import { intercepted } from "./faulty-storage.ts";

/** One session that runs in the only turn slot, and another whose prompt waits for it. */
async function twoForOneSlot(): Promise<SessionUnderTest & { other: SessionUnderTest["session"]; free: () => void }> {
  const { gate, open, whenStarted } = gatedTool();
  const answer = (request: ModelRequest) => (request.prompt.at(-1)?.role === "tool" || textsIn(request).includes("user: Other") ? reply.text("Done.") : reply.toolCall("gate", { name: "a" }));
  const test = await start(answer, { tools: { gate }, concurrency: { turns: 1 } });
  test.session.prompt("First");
  await whenStarted("a");
  return { ...test, other: await test.agent.session(), free: () => { open("a"); } };
}

describe("a turn that waits for a slot", () => {
  it("is aborted at once, without a model call", async () => {
    const { other, clock, model, free, session } = await twoForOneSlot();
    const turn = other.prompt("Other");
    await clock.advance(1);
    await other.abort();
    expect(await turn.settled).toMatchObject({ outcome: "aborted", steps: 0 });
    free();
    await session.queue();
    await clock.advance(1);
    expect(model.calls).toBe(2);
    expect((await other.prompt("Other")).text).toBe("Done.");
  });

  it("stays queued when its session is closed, which does not wait", async () => {
    const { other, clock, model, free, agent } = await twoForOneSlot();
    const turn = other.prompt("Other");
    await clock.advance(1);
    await other.close();
    await expect(turn.then()).rejects.toBeInstanceOf(SessionClosedError);
    free();
    await clock.advance(1);
    expect(model.calls).toBe(2);
    const again = await agent.session(other.id);
    expect(await again.queue()).toHaveLength(1);
  });
});

describe("close()", () => {
  it("right after a prompt does not refuse what is stored all the same", async () => {
    const { session, agent, storage } = await start([]);
    const types: string[] = [];
    agent.on("*", ({ type }) => types.push(type));
    const turn = session.prompt("Hi");
    await session.close();
    await expect(turn.accepted).resolves.toMatchObject({ messageID: turn.messageID });
    await expect(turn.then()).rejects.toBeInstanceOf(SessionClosedError);
    expect((await storage.inbox(session.id)).queued).toHaveLength(1);
    expect(types.at(-1)).toBe("session.closed");
  });

  it("resolves for every caller only when the running turn has ended, also for agent.close()", async () => {
    const { gate, whenStarted } = gatedTool();
    const { session, agent, clock } = await start([reply.toolCall("gate", { name: "a" })], { tools: { gate } });
    const turn = session.prompt("Hi");
    await whenStarted("a");
    const done: string[] = [];
    void session.close().then(() => done.push("session"));
    void session.close().then(() => done.push("session again"));
    void agent.close().then(() => done.push("agent"));
    await clock.advance(200);
    expect(done).toEqual([]);
    await clock.advance(100);
    expect(done.sort()).toEqual(["agent", "session", "session again"]);
    expect((await turn.settled).outcome).toBe("aborted");
  });

  it("of an agent also closes a session that is just being opened", async () => {
    const { agent } = await start([]);
    const opening = agent.session({ id: "late" });
    await agent.close();
    const session = await opening;
    expect(() => session.prompt("Hi")).toThrow(SessionClosedError);
  });
});

describe("remove()", () => {
  it("tells of a commit of its own", async () => {
    const { session, agent } = await start([reply.text("Hi.")]);
    await session.prompt("Hi");
    const seqs: number[] = [];
    agent.on("session.deleted", ({ seq }) => seqs.push(seq));
    const before = (await session.queue(), session.info.seq);
    await session.remove();
    expect(seqs[0]).toBeGreaterThan(before);
  });

  it("leaves turns that ended before alone: aborting one again does nothing", async () => {
    const { session } = await start([reply.text("Hi.")]);
    const turn = session.prompt("Hi");
    await turn;
    await session.remove();
    await expect(turn.abort()).resolves.toBeUndefined();
  });
});

describe("abort({ queue: 'cancel' })", () => {
  it("ends the turn that runs at once, and lets no queued prompt begin while the queue is read", async () => {
    const clock = manualClock();
    let release = (): void => undefined;
    let holds = false;
    const storage = intercepted(memoryStorage({ clock }), async (method, next) => {
      const answer = await next();
      if (!holds || method !== "inbox") return answer;
      holds = false;
      await new Promise<void>((resolve) => (release = resolve));
      return answer;
    });
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" })], { clock, storage, tools: { gate } });
    const first = test.session.prompt("1");
    await whenStarted("a");
    const second = test.session.prompt("2");
    await second.accepted;
    holds = true;
    const aborted = test.session.abort({ queue: "cancel" });
    await clock.advance(1);
    open("a");
    await clock.advance(1);
    release();
    await aborted;
    expect(await first.settled).toMatchObject({ outcome: "aborted" });
    expect(await second.settled).toMatchObject({ outcome: "cancelled" });
    expect(test.model.requests).toHaveLength(1);
    expect(test.session.status).toEqual({ type: "idle" });
  });
});

describe("a prompt to a session that another process runs", () => {
  it("is cancelled by aborting it, and does not run there", async () => {
    const clock = manualClock();
    const { gate, open, whenStarted } = gatedTool();
    const owner = await start([reply.toolCall("gate", { name: "a" }), reply.text("One.")], { clock, tools: { gate } });
    const first = owner.session.prompt("1");
    await whenStarted("a");
    const session = await createAgent({ model: scriptedModel([]), clock, storage: owner.storage }).session(owner.session.id);
    const second = session.prompt("2");
    await second.accepted;
    await clock.advance(10);
    const aborted = second.abort();
    await clock.advance(500);
    await aborted;
    expect((await second.settled).outcome).toBe("cancelled");
    open("a");
    await first;
    await clock.advance(500);
    expect(eventsOfType(owner.events, "prompt.promoted")).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });
});
