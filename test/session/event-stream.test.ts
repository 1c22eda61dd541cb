import { describe, expect, it, vi } from "vitest";
import { createAgent, memoryStorage, type Agent, type Session, type Storage, type StreamItem } from "throughline";
import { manualClock, reply, scriptedModel } from "throughline/testing";
import { EventHub } from "../../src/session/event-hub.ts";
import { foldItems, follow, settle } from "./stream-client.ts";
import { countedController, echoTool, nextEvent, start } from "./session-under-test.ts";

/** A store of this process that cannot watch. */
function withoutWatch(storage: Storage): Storage {
  const { watch: _watch, ...rest } = storage;
  return rest;
}

describe("the events of a session that runs here", () => {
  it("are all that listeners hear, from the call on, each with a cursor", async () => {
    const { echo } = echoTool();
    const test = await start([[reply.text("Let me see."), reply.toolCall("echo", { text: "x" })], reply.text("Done.")], { tools: { echo } });
    const client = follow(test.session);
    await test.session.prompt("Hi");
    await settle();
    expect(client.items.map(({ cursor: _cursor, ...event }) => event)).toEqual(test.events);
    expect(client.items.every(({ cursor }) => typeof cursor === "string" && cursor !== "")).toBe(true);
    client.leave();
    await client.ended;
  });

  it("begin with the state of everything after 0, in the transcript's order", async () => {
    const { echo } = echoTool();
    const test = await start([[reply.text("Let me see."), reply.toolCall("echo", { text: "x" })], reply.text("Done.")], { tools: { echo } });
    await test.session.prompt("Hi");
    const client = follow(test.session, { after: 0 });
    await settle();
    expect(foldItems(client.items).messages).toEqual(await test.session.messages());
    expect(foldItems(client.items).session).toEqual(await test.storage.getSession(test.session.id));
    const seqs = client.items.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    client.leave();
    await client.ended;
  });

  it("go on behind a cursor without repeating anything", async () => {
    const test = await start([reply.text("One."), reply.text("Two.")]);
    const first = follow(test.session, { after: 0 });
    await test.session.prompt("1");
    await settle();
    first.leave();
    await first.ended;
    const cursor = first.items.at(-1)?.cursor ?? "";
    const second = follow(test.session, { after: cursor });
    await settle();
    expect(second.items).toEqual([]);
    await test.session.prompt("2");
    await settle();
    expect(foldItems([...first.items, ...second.items]).messages).toEqual(await test.session.messages());
    expect(second.items[0]?.type).toBe("prompt.admitted");
    second.leave();
    await second.ended;
  });

  it("of a stream that was not iterated at once, come as rows", async () => {
    const test = await start([reply.text("One.")]);
    const stream = test.session.events();
    await test.session.prompt("1");
    const items: StreamItem[] = [];
    for await (const item of stream) {
      items.push(item);
      if (item.type === "part.updated" && item.part.type === "step-finish") break;
    }
    expect(foldItems(items).messages).toEqual(await test.session.messages());
  });

  it("give a client that joins in the middle of a text all of it, what is not stored included", async () => {
    const test = await start([[reply.text("Some text that ends nowhere", { chunks: 9 }), reply.stall({ afterChunks: 5 })]]);
    const heard = nextEvent(test.session, "part.delta", ({ offset }) => offset === 12);
    const turn = test.session.prompt("Hi");
    await heard;
    const client = follow(test.session, { after: 0 });
    await settle();
    const stored = (await test.session.messages()).flatMap(({ parts }) => parts).find((part) => part.type === "text" && part.time !== undefined);
    expect(stored).toMatchObject({ text: "" });
    expect(foldItems(client.items).messages.flatMap(({ parts }) => parts).at(-1)).toMatchObject({ text: "Some text that " });
    expect(client.items.filter(({ type }) => type === "part.delta")).toEqual([]);
    const abort = turn.abort();
    await test.clock.advance(1000);
    await abort;
    await settle();
    expect(foldItems(client.items).messages).toEqual(await test.session.messages());
    client.leave();
    await client.ended;
  });
});

describe("the events of a session that another process runs", () => {
  it.each<[string, (storage: Storage) => Storage]>([
    ["a store that can be watched", (storage) => storage],
    ["a store that has to be polled", withoutWatch],
  ])("are its rows, in %s", async (_what, limited) => {
    const owner = await start([[reply.text("Let me see. "), reply.text("Done.")], reply.text("Two.")]);
    await owner.session.prompt("1");
    const clock = manualClock();
    const agent = createAgent({ model: scriptedModel([]), storage: limited(owner.storage), clock });
    const session = await agent.session(owner.session.id);
    const client = follow(session, { after: 0 });
    const late = follow(session);
    await clock.advance(0);
    await owner.session.prompt("2");
    if (limited === withoutWatch) expect(late.items).toEqual([]);
    await clock.advance(250);
    await settle();
    expect(foldItems(client.items).messages).toEqual(await owner.session.messages());
    expect(late.items.length).toBeGreaterThan(0);
    expect(late.items.every((item) => item.type !== "message.updated" || (item.message.position ?? 0) > 2)).toBe(true);

    await owner.session.remove();
    await clock.advance(250);
    await Promise.all([client.ended, late.ended]);
    expect([client, late].map(({ items }) => items.filter(({ type }) => type === "session.deleted").length)).toEqual([1, 1]);
    expect(clock.pending()).toBe(0);
  });

  it("do not miss what another process writes to a session that runs here", async () => {
    const test = await start([[reply.text("Some text that ends nowhere", { chunks: 9 }), reply.stall({ afterChunks: 5 })], reply.text("Two.")]);
    const client = follow(test.session, { after: 0 });
    const heard = nextEvent(test.session, "part.delta", ({ offset }) => offset === 12);
    const turn = test.session.prompt("1");
    await heard;
    const other = await createAgent({ model: scriptedModel([]), storage: test.storage, clock: test.clock }).session(test.session.id);
    const foreign = other.prompt("2");
    await foreign.accepted;
    await settle();
    expect(client.items.some((item) => item.type === "message.updated" && item.message.id === foreign.messageID)).toBe(true);
    await test.clock.advance(600);
    const abort = turn.abort();
    await test.clock.advance(2000);
    await abort;
    await foreign;
    await settle();
    expect(foldItems(client.items).messages).toEqual(await test.session.messages());
    client.leave();
    await client.ended;
  });
});

describe("a cursor that is unknown", () => {
  it.each(["nonsense", "", "5.1.ses_other", "new.1.x"])("%j gives a reset, and then the whole present state", async (after) => {
    const test = await start([reply.text("One.")]);
    await test.session.prompt("1");
    const client = follow(test.session, { after });
    await settle();
    expect(client.items[0]).toMatchObject({ type: "session.reset", sessionID: test.session.id });
    expect(foldItems(client.items).messages).toEqual(await test.session.messages());
    const [first] = client.items;
    client.leave();
    const again = follow(test.session, { after: first?.cursor });
    await settle();
    expect(again.items[0]?.type).toBe("session.reset");
    again.leave();
    await again.ended;
  });

  it("is one of a session that was deleted and created anew, and a seq that is not reached yet", async () => {
    const test = await start([reply.text("One."), reply.text("Two.")]);
    const { id } = test.session;
    const first = follow(test.session, { after: 0 });
    await test.session.prompt("1");
    await settle();
    const cursor = first.items.at(-1)?.cursor;
    await test.session.remove();
    const session = await test.agent.session({ id });
    await session.prompt("2");
    for (const after of [cursor, 1000]) {
      const client = follow(session, { after });
      await settle();
      expect(client.items[0]?.type).toBe("session.reset");
      expect(foldItems(client.items).messages).toEqual(await session.messages());
      client.leave();
    }
  });

  it("is refused when it is no cursor at all", async () => {
    const { session } = await start([]);
    for (const after of [-1, 0.5, Number.NaN]) expect(() => session.events({ after })).toThrow("events.options.after");
    // @ts-expect-error -- a caller without types
    expect(() => session.events({ from: 1 })).toThrow("there is no such option");
    await session.close();
    expect(() => session.events()).toThrow("is closed");
  });
});

describe("a slow consumer", () => {
  it("that falls too far behind gets the state instead, with the status, and then live events", async () => {
    const test = await start([reply.text("word ".repeat(3000), { chunks: 3000 }), reply.text("Two.")]);
    const items: StreamItem[] = [];
    const iterator = test.session.events({ after: 0 })[Symbol.asyncIterator]();
    const take = async (): Promise<StreamItem | undefined> => {
      const next: IteratorResult<StreamItem, unknown> = await iterator.next();
      if (next.done === true) return undefined;
      items.push(next.value);
      return next.value;
    };
    await take();
    const long = test.session.prompt("1");
    while ((await take())?.type !== "session.status");
    await long;
    await take();
    while (items.at(-1)?.type !== "session.status") await take();
    expect(items.at(-1)).toMatchObject({ status: { type: "idle" } });
    expect(items.length).toBeLessThan(30);
    expect(foldItems(items).messages).toEqual(await test.session.messages());
    const turn = test.session.prompt("2");
    while ((await take())?.type !== "turn.finished");
    await turn;
    expect(items.some(({ type }) => type === "part.delta")).toBe(true);
    expect(foldItems(items).messages).toEqual(await test.session.messages());
    await iterator.return?.();
  });
});

describe("the end", () => {
  it.each<[string, (session: Session, agent: Agent) => Promise<void>, string]>([
    ["session.close()", (session) => session.close(), "session.closed"],
    ["agent.close()", (_session, agent) => agent.close(), "session.closed"],
    ["session.remove()", (session) => session.remove(), "session.deleted"],
  ])("%s ends the iteration with its own event", async (_what, act, last) => {
    const test = await start([]);
    const client = follow(test.session, { after: 0 });
    await settle();
    await act(test.session, test.agent);
    await client.ended;
    expect(client.items.at(-1)?.type).toBe(last);
    expect(client.items.filter(({ type }) => type === last)).toHaveLength(1);
    expect(test.clock.pending()).toBe(0);
  });

  it.each(["with watch", "by polling"])("leaves no listener, watch or timer behind (%s), however it comes", async (how) => {
    const hubs = vi.spyOn(EventHub.prototype, "on");
    let watches = 0;
    const memory = memoryStorage();
    const watched: Storage = {
      ...memory,
      watch: async (sessionID, listener) => {
        const stop = await memory.watch?.(sessionID, listener);
        watches += 1;
        return () => {
          watches -= 1;
          stop?.();
        };
      },
    };
    const test = await start([], { storage: how === "with watch" ? watched : withoutWatch(memory) });
    hubs.mockClear();
    const { controller, listeners } = countedController();
    const open = (abortSignal?: AbortSignal) => test.session.events({ after: 0, abortSignal })[Symbol.asyncIterator]();
    const unused = open();
    const [left, returned, aborted, failed] = [open(), open(), open(controller.signal), open()];
    const all = [left, returned, aborted, failed];
    await Promise.all(all.map((iterator) => iterator.next()));
    const [, waiting, last] = [left.return?.(), returned.next(), aborted.next()];
    await settle();
    const hub = hubs.mock.contexts[0] as EventHub; // The method was called on one.
    expect([hub.listenerCount, watches, listeners()]).toEqual([1 + 3, how === "with watch" ? 3 : 0, 1]);

    expect(await returned.return?.()).toEqual({ done: true, value: undefined });
    controller.abort();
    expect(await Promise.all([waiting, last])).toEqual([{ done: true, value: undefined }, { done: true, value: undefined }]);
    await failed.return?.();
    await unused.return?.();
    expect([hub.listenerCount, watches, listeners(), test.clock.pending()]).toEqual([1, 0, 0, 0]);
    hubs.mockRestore();
  });

  it("throws when the storage fails for good, and the cursor is good to go on with", async () => {
    const memory = memoryStorage();
    let broken = false;
    const changes: Storage["changes"] = (...given) => (broken ? Promise.reject(new Error("disk gone")) : memory.changes(...given));
    const test = await start([reply.text("One.")], { storage: { ...memory, changes } });
    const iterator = test.session.events({ after: 0 })[Symbol.asyncIterator]();
    const first: IteratorResult<StreamItem, unknown> = await iterator.next();
    broken = true;
    const failing = expect(test.session.events({ after: 0 })[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "storage" });
    await test.clock.advance(60_000);
    await failing;
    broken = false;
    await iterator.return?.();
    await test.session.prompt("1");
    const client = follow(test.session, { after: first.done === true ? undefined : first.value.cursor });
    await settle();
    expect(foldItems(client.items).messages).toEqual(await test.session.messages());
    await test.session.close();
    await client.ended;
    expect(test.clock.pending()).toBe(0);
  });
});
