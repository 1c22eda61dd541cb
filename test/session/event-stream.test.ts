import { describe, expect, it, vi } from "vitest";
import { createAgent, memoryStorage, type Session, type SessionEvent, type Storage, type StreamItem, type StreamOptions } from "throughline";
import { manualClock, reply, scriptedModel } from "throughline/testing";
import { EventHub } from "../../src/session/event-hub.ts";
import { foldEvents, type FoldedSession } from "./event-fold.ts";
import { countedController, echoTool, eventsOfType, nextEvent, start } from "./session-under-test.ts";

/** A client that reads the stream as it comes. */
interface Client {
  items: StreamItem[];
  /** Resolves when the iteration has ended. */
  ended: Promise<void>;
  leave(): void;
}

function follow(session: Session, options: StreamOptions = {}): Client {
  const items: StreamItem[] = [];
  const controller = new AbortController();
  const read = async (): Promise<void> => {
    for await (const item of session.events({ ...options, abortSignal: controller.signal })) items.push(item);
  };
  return { items, ended: read(), leave: () => { controller.abort(); } };
}

/** What a client knows that folds the items, and drops all at a reset. */
function foldItems(items: readonly StreamItem[]): FoldedSession {
  const begin = items.findLastIndex(({ type }) => type === "session.reset");
  return foldEvents(items.slice(begin + 1).filter((item): item is SessionEvent & { cursor: string } => item.type !== "session.reset"));
}

/** Lets everything happen that waits for no timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

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

describe("the end", () => {
  it.each<[string, (session: Session) => Promise<void>, string]>([
    ["session.close()", (session) => session.close(), "session.closed"],
    ["session.remove()", (session) => session.remove(), "session.deleted"],
  ])("%s ends the iteration with its own event", async (_what, act, last) => {
    const test = await start([]);
    const client = follow(test.session, { after: 0 });
    await settle();
    await act(test.session);
    await client.ended;
    expect(client.items.at(-1)?.type).toBe(last);
    expect(client.items.filter(({ type }) => type === last)).toHaveLength(1);
    expect(test.clock.pending()).toBe(0);
  });
});
void [createAgent, memoryStorage, manualClock, scriptedModel, EventHub, vi, countedController, eventsOfType, withoutWatch];
