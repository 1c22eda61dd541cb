import { describe, expect, it } from "vitest";
import { AgentClosedError, createAgent, InvalidArgumentError, memoryStorage, SessionClosedError, SessionNotFoundError, type Storage } from "throughline";
import { manualClock, reply, scriptedModel } from "throughline/testing";
import { nextEvent, start } from "../session/session-under-test.ts";

describe("agent.session()", () => {
  it("makes a new session each time", async () => {
    const { agent, session } = await start([]);
    const other = await agent.session();
    expect(other.id).not.toBe(session.id);
    expect((await agent.sessions()).items.map(({ id }) => id).sort()).toEqual([session.id, other.id].sort());
  });

  it("with an id gives the one object that is open for it", async () => {
    const { agent, session } = await start([]);
    expect(await agent.session(session.id)).toBe(session);
    expect(await agent.session({ id: session.id })).toBe(session);
  });

  it("with an unknown id is an error that says how to create one", async () => {
    const { agent, storage } = await start([]);
    await expect(agent.session("ses_unknown")).rejects.toThrow(SessionNotFoundError);
    await expect(agent.session("ses_unknown")).rejects.toThrow('agent.session({ id: "ses_unknown" })');
    expect(await storage.getSession("ses_unknown")).toBeUndefined();
  });

  it("with { id } opens or creates, and keeps what was given at the creation", async () => {
    const { agent } = await start([]);
    const session = await agent.session({ id: "thread-42", title: "Thread", directory: "/home/me", metadata: { user: 7 } });
    expect(session.info).toMatchObject({ id: "thread-42", title: "Thread", directory: "/home/me", metadata: { user: 7 }, agent: "default", cost: 0 });
    await session.close();
    const again = await agent.session({ id: "thread-42", title: "Another" });
    expect(again.info).toMatchObject({ title: "Thread", metadata: { user: 7 } });
  });

  it("with one { id } twice at once is one session and one object", async () => {
    const { agent } = await start([]);
    const sessions = await Promise.all(Array.from({ length: 5 }, () => agent.session({ id: "thread-42" })));
    expect(new Set(sessions).size).toBe(1);
  });

  it("with one { id } at once from two agents is one session", async () => {
    const storage = memoryStorage();
    const agents = [0, 1].map(() => createAgent({ model: scriptedModel([]), storage }));
    const sessions = await Promise.all(agents.map((agent) => agent.session({ id: "thread-42" })));
    expect(sessions.map(({ id }) => id)).toEqual(["thread-42", "thread-42"]);
    expect((await storage.listSessions()).items).toHaveLength(1);
  });

  it("that failed can be tried again", async () => {
    const memory = memoryStorage();
    let broken = true;
    const storage: Storage = { ...memory, getSession: (id) => (broken ? Promise.reject(new Error("no connection")) : memory.getSession(id)) };
    const agent = createAgent({ model: scriptedModel([]), storage });
    await expect(agent.session({ id: "a" })).rejects.toThrow("no connection");
    broken = false;
    expect((await agent.session({ id: "a" })).id).toBe("a");
  });

  it.each<[string, unknown]>([
    ["an empty id", ""],
    ["an empty id in options", { id: "" }],
    ["a title that is no text", { title: 7 }],
    ["an unknown option", { name: "x" }],
    ["metadata that is no object", { metadata: "x" }],
    ["a number", 7],
    ["null", null],
  ])("refuses %s", async (_what, argument) => {
    const { agent } = await start([]);
    await expect(agent.session(argument as string)).rejects.toThrow(InvalidArgumentError);
  });
});

describe("a session's title", () => {
  it("is the first prompt's first line, cut between characters", async () => {
    const { agent, session } = await start(() => reply.text("Fine."));
    await session.prompt("  Fix the build\nIt is broken.");
    await session.prompt("Another line");
    expect(session.info.title).toBe("Fix the build");
    const long = await agent.session();
    await long.prompt("😀".repeat(200));
    expect(long.info.title).toBe(`${"😀".repeat(99)}…`);
  });

  it("that was given stays", async () => {
    const { agent } = await start(() => reply.text("Fine."));
    const session = await agent.session({ title: "Mine" });
    await session.prompt("Hi");
    expect(session.info.title).toBe("Mine");
  });
});

describe("agent.close()", () => {
  it("closes all sessions, aborts what runs and refuses new ones; the storage stays open", async () => {
    const { agent, session, storage, clock } = await start(() => reply.stall());
    const other = await agent.session();
    const turns = [session.prompt("1"), other.prompt("2")];
    await Promise.all([nextEvent(session, "step.started"), nextEvent(other, "step.started")]);
    await agent.close();
    expect((await Promise.all(turns.map(({ settled }) => settled))).map(({ outcome }) => outcome)).toEqual(["aborted", "aborted"]);
    expect(() => session.prompt("3")).toThrow(SessionClosedError);
    await expect(agent.session()).rejects.toThrow(AgentClosedError);
    expect((await storage.listSessions()).items).toHaveLength(2);
    expect(clock.pending()).toBe(0);
  });
});

describe("concurrency.turns", () => {
  it("limits how many turns run at once over all sessions", async () => {
    const clock = manualClock();
    let running = 0;
    let most = 0;
    const agent = createAgent({
      clock,
      storage: memoryStorage({ clock }),
      concurrency: { turns: 2 },
      model: scriptedModel(() => {
        running += 1;
        most = Math.max(most, running);
        return reply.text("Fine.", { chunks: 1 });
      }),
    });
    agent.on("step.finished", () => (running -= 1));
    const sessions = await Promise.all(Array.from({ length: 6 }, () => agent.session()));
    await Promise.all(sessions.map((session) => session.prompt("Hi")));
    expect(most).toBe(2);
    expect(clock.pending()).toBe(0);
  });
});
