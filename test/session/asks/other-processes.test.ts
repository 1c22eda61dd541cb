import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConflictError, createAgent, memoryStorage, ThroughlineError } from "throughline";
import type { AgentOptions, AskReply, Session, Storage } from "throughline";
import { fileStorage } from "throughline/storage/file";
import { sqliteStorage } from "throughline/storage/sqlite";
import { manualClock, reply, scriptedModel, strictModel } from "throughline/testing";
import { nextEvent, start } from "../session-under-test.ts";
import { askAll, askStory, bashTool, nextAsk, openAsk } from "./asked.ts";

const call = (command: string) => reply.toolCall("bash", { command });

/** A store that cannot tell of commits. */
function unwatched(storage: Storage): Storage {
  const { commit, getSession, listSessions, listMessages, inbox, listAsks, changes, getArtifact, acquireLease, releaseLease, close } = storage;
  const methods = { commit, getSession, listSessions, listMessages, inbox, listAsks, changes, getArtifact, acquireLease, releaseLease, close };
  // Each is called on the store that it is of.
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, (method as (...given: unknown[]) => unknown).bind(storage)])) as unknown as Storage;
}

/** Another process on the same store, which runs nothing of the session. */
async function elsewhere(storage: Storage, id: string, options: Partial<AgentOptions> = {}): Promise<Session> {
  const agent = createAgent({ model: scriptedModel([]), storage, tools: { bash: bashTool().bash }, permissions: askAll, ...options });
  return agent.session(id);
}

describe("a reply from another process", () => {
  it.each(["that the store tells of", "that is polled for"])("%s lets the call run", async (how) => {
    const { bash, runs } = bashTool();
    const shared = memoryStorage();
    const storage = how === "that is polled for" ? unwatched(shared) : shared;
    const test = await start([call("ls"), reply.text("Done.")], { storage, tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    const other = await elsewhere(shared, test.session.id);
    const heard: string[] = [];
    other.on("*", ({ type }) => heard.push(type));
    expect(await other.asks()).toEqual([ask]);
    expect(other.status).toEqual({ type: "idle" });
    await other.reply(ask.id, { decision: "once" });
    expect(heard).toEqual(["ask.replied"]);
    await test.clock.advance(500);
    expect(await turn).toMatchObject({ outcome: "answered" });
    expect(runs).toEqual(["ls"]);
    expect(askStory(test.events)).toEqual(["ask.created ls", "ask.replied ls once"]);
    expect(test.clock.pending()).toBe(0);
  });

  it("and one from here: one of them counts, the other is refused with it", async () => {
    for (const first of ["here", "there"]) {
      const { bash, runs } = bashTool();
      const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll });
      const turn = test.session.prompt("Hi");
      const { id } = await nextAsk(test.session);
      const other = await elsewhere(test.storage, test.session.id);
      const give: [Session, AskReply][] = [[test.session, { decision: "once" }], [other, { decision: "reject" }]];
      if (first === "there") give.reverse();
      const [won, refused] = await Promise.allSettled(give.map(([session, answer]) => session.reply(id, answer)));
      // Which came first is the store's to say; both cannot.
      expect([won?.status, refused?.status].sort()).toEqual(["fulfilled", "rejected"]);
      const error: unknown = [won, refused].flatMap((settled) => (settled?.status === "rejected" ? [settled.reason as unknown] : []))[0];
      expect(error).toBeInstanceOf(ConflictError);
      await test.clock.advance(500);
      const { outcome } = await turn;
      expect(runs).toEqual(outcome === "answered" ? ["ls"] : []);
      expect(askStory(test.events)).toHaveLength(2);
    }
  });

  it("against the end of its time: one of them counts", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls")], { tools: { bash }, permissions: askAll, asks: { timeoutMs: 1_000 } });
    const turn = test.session.prompt("Hi");
    const { id } = await nextAsk(test.session);
    const other = await elsewhere(test.storage, test.session.id, { clock: test.clock });
    await test.clock.advance(999);
    const late = other.reply(id, { decision: "once" }).then(() => "counts", (error: unknown) => (ThroughlineError.isInstance(error) ? error.code : "other"));
    await test.clock.advance(1);
    const [result, { outcome }] = await Promise.all([late, turn.settled]);
    expect([result, outcome, runs]).toEqual(result === "counts" ? ["counts", "error", ["ls"]] : ["conflict", "rejected", []]);
  });

  it("of always is saved by who runs the session", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls"), call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const { id } = await nextAsk(test.session);
    const other = await elsewhere(test.storage, test.session.id);
    await other.reply(id, { decision: "always" });
    await test.clock.advance(500);
    await turn;
    expect(runs).toEqual(["ls", "ls"]);
    expect((await test.storage.getSession(test.session.id))?.permission).toEqual([{ permission: "bash", pattern: "ls", action: "allow" }]);
  });
});

describe("a client of the event stream", () => {
  it("learns of asks as they are: those that it missed, and those that come", async () => {
    const { bash } = bashTool();
    const test = await start([[call("a"), call("b")].flat(), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const items: string[] = [];
    const asked = nextEvent(test.session, "ask.created", ({ ask }) => ask.patterns[0] === "b");
    const turn = test.session.prompt("Hi");
    const { ask: second } = await asked;
    const [first] = await test.session.asks();
    const reading = (async () => {
      for await (const item of test.session.events({ after: 0 })) {
        if (item.type === "ask.created" || item.type === "ask.replied") items.push(`${item.type} ${item.ask.patterns.join()}`);
        if (item.type === "turn.finished") break;
      }
    })();
    await test.clock.advance(0);
    expect(items).toEqual(["ask.created a", "ask.created b"]);
    for (const id of [second.id, first?.id ?? ""]) await test.session.reply(id, { decision: "once" });
    await Promise.all([turn, reading]);
    expect(items).toEqual(["ask.created a", "ask.created b", "ask.replied b", "ask.replied a"]);
    const later: string[] = [];
    for await (const item of test.session.events({ after: 0 })) {
      if (item.type.startsWith("ask.")) later.push(item.type);
      if (later.length === 2) break;
    }
    expect(later).toEqual(["ask.replied", "ask.replied"]);
  });

  it("in another process learns of them, too", async () => {
    const { bash } = bashTool();
    const test = await start([call("a")], { tools: { bash }, permissions: askAll });
    const other = await elsewhere(test.storage, test.session.id, { clock: test.clock });
    const items: string[] = [];
    const reading = (async () => {
      for await (const item of other.events()) {
        if (item.type.startsWith("ask.")) items.push(item.type);
        if (item.type === "ask.closed") break;
      }
    })();
    const turn = test.session.prompt("Hi");
    await nextAsk(test.session);
    await test.clock.advance(500);
    await test.session.abort();
    await test.clock.advance(500);
    await reading;
    expect((await turn.settled).outcome).toBe("aborted");
    expect(items).toEqual(["ask.created", "ask.closed"]);
  });
});

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe.each<[string, (folder: string) => Storage]>([
  ["files", (folder) => fileStorage(folder, { sync: "never" })],
  ["SQLite", (folder) => sqliteStorage(join(folder, "store.db"))],
])("over a restart on %s", (_name, open) => {
  it.each(["hold", "release"] as const)("an ask can be answered, by one process, and carried out by another (%s)", async (mode) => {
    const folder = await mkdtemp(join(tmpdir(), "throughline-asks-"));
    folders.push(folder);
    const first = bashTool();
    const options = { clock: manualClock(1_700_000_000_000), permissions: askAll, asks: { mode } };
    const storage = open(folder);
    const model = strictModel(scriptedModel([call("git push")]));
    const agent = createAgent({ ...options, model, storage, tools: { bash: first.bash } });
    const session = await agent.session({ id: "thread" });
    const asked = nextAsk(session);
    const turn = session.prompt("Push.");
    const ask = await asked;
    await agent.close();
    expect(await turn).toMatchObject({ outcome: "waiting", asks: [ask] });
    await storage.close();

    const between = open(folder);
    const answering = await elsewhere(between, "thread");
    expect(await openAsk(answering)).toEqual(ask);
    await answering.reply(ask.id, { decision: "once" });
    await expect(answering.reply(ask.id, { decision: "reject" })).rejects.toThrow(ConflictError);
    await between.close();

    const { bash, runs } = bashTool();
    const last = open(folder);
    const lastModel = strictModel(scriptedModel([reply.text("Pushed.")]));
    const next = createAgent({ ...options, model: lastModel, storage: last, tools: { bash } });
    const resumed = await next.session("thread");
    expect(await resumed.resume()).toMatchObject({ outcome: "answered", text: "Pushed." });
    expect([first.runs, runs]).toEqual([[], ["git push"]]);
    expect(await next.asks()).toEqual([]);
    await next.close();
    await last.close();
  });
});
