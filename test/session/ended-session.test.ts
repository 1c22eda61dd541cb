import { describe, expect, it } from "vitest";
import { AgentClosedError, createAgent, SessionClosedError } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { nextEvent, start } from "./session-under-test.ts";

const nothing = (): void => undefined;

describe("a session that is over says what can be done", () => {
  it("closed: open it again", async () => {
    const { session } = await start([]);
    await session.close();
    expect(() => session.prompt("Hi")).toThrow(`is closed. Open it again with agent.session("${session.id}")`);
  });

  it("removed: make a new one, as there is none to open", async () => {
    const { session } = await start([]);
    await session.remove();
    expect(() => session.prompt("Hi")).toThrow(/was removed from its storage. Make a new one with agent\.session\(\)/);
  });

  it("removed while a prompt waited: its turn is told so, too", async () => {
    const { session } = await start([reply.stall()]);
    const running = session.prompt("1");
    const waiting = session.prompt("2");
    await Promise.all([nextEvent(session, "step.started"), waiting.accepted]);
    await session.remove();
    await expect(running.then()).rejects.toMatchObject({ code: "turn-aborted" });
    await expect(waiting.then()).rejects.toThrow(/was removed from its storage/);
  });

  it("closed with its agent: make a new agent", async () => {
    const { agent, session } = await start([]);
    await agent.close();
    expect(() => session.prompt("Hi")).toThrow(/is closed, as its agent is\. Make a new agent on the same storage/);
  });

  it.each(["on", "once"] as const)("%s() registers nobody who would never hear anything", async (method) => {
    const { agent, session } = await start([]);
    await session.close();
    expect(() => session[method]("*", nothing)).toThrow(SessionClosedError);
    await agent.close();
    expect(() => agent[method]("*", nothing)).toThrow(AgentClosedError);
  });

  it("can still be read", async () => {
    const { session } = await start([reply.text("Hello.")]);
    await session.prompt("Hi");
    await session.close();
    expect(await session.messages()).toHaveLength(2);
  });
});

describe("a prompt that waits when its session is closed", () => {
  it("is not lost: it runs with the next prompt of the opened session, before it", async () => {
    const { session, storage } = await start([reply.stall()]);
    session.prompt("1");
    const waiting = session.prompt("2");
    await Promise.all([nextEvent(session, "step.started"), waiting.accepted]);
    await session.close();
    await expect(waiting.then()).rejects.toThrow(SessionClosedError);
    expect(await waiting.settled).toMatchObject({ outcome: "error", error: { code: "interrupted" } });

    const model = scriptedModel([reply.text("Two."), reply.text("Three.")]);
    const opened = await createAgent({ model, storage }).session(session.id);
    expect((await opened.queue()).map(({ info }) => info.id)).toEqual([waiting.messageID]);
    expect(model.calls).toBe(0);
    expect((await opened.prompt("3")).text).toBe("Three.");
    expect(model.requests.map(({ prompt }) => JSON.stringify(prompt.at(-1)))).toEqual([expect.stringContaining('"2"'), expect.stringContaining('"3"')]);
  });
});

describe("a page that does not exist", () => {
  it("is refused by the name of the caller's own argument", async () => {
    const { agent, session } = await start([]);
    await expect(session.messages({ before: "zzz" })).rejects.toThrow(/^before: message "zzz"/);
    await expect(agent.sessions({ cursor: "zzz" })).rejects.toThrow(/^cursor: "zzz"/);
  });
});
