import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAgent, defineTool, type Session, type StreamItem } from "throughline";
import { reply, scriptedModel, type Reply, type ReplyPiece } from "throughline/testing";
import { z } from "zod";
import { start } from "./session-under-test.ts";
import { foldItems, settle } from "./stream-client.ts";

const tools = { echo: defineTool({ description: "Echoes.", input: z.object({ text: z.string() }), execute: ({ text }) => text }) };

const words = fc.string({ unit: "grapheme", maxLength: 30 });
const chunks = fc.integer({ min: 1, max: 12 });
const piece: fc.Arbitrary<ReplyPiece> = fc.oneof(
  fc.record({ text: words, chunks }).map(({ text, chunks: count }) => reply.text(text, { chunks: count })),
  fc.record({ text: words, chunks }).map(({ text, chunks: count }) => reply.reasoning(text, { chunks: count })),
  words.map((text) => reply.toolCall("echo", { text })),
);
const ending = fc.constantFrom<ReplyPiece | undefined>(undefined, undefined, reply.error(new Error("broke"), { afterChunks: 3 }), reply.cut(), reply.text("long ".repeat(1200), { chunks: 1200 }));
const modelReply: fc.Arbitrary<Reply> = fc.record({ pieces: fc.array(piece, { maxLength: 4 }), ending }).map((parts) => [...parts.pieces, ...(parts.ending === undefined ? [] : [parts.ending])]);

/** A client that leaves and comes back, and now and then is slow. */
interface Plan {
  /** It joins at this event of the session; events of one commit come in one go, so that it may be in the midst of one. */
  joinAt: number;
  /** Items that it takes before it leaves, each time; then it stays. */
  visits: number[];
  /** Before which items, modulo this, it lets the session run ahead. */
  slowEvery: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  joinAt: fc.nat({ max: 60 }),
  visits: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
  slowEvery: fc.constantFrom(1, 2, 7, 1000),
});

/** Takes what comes by the plan; the last visit lasts until the session is closed. */
async function read(session: Session, { visits, slowEvery }: Plan, items: StreamItem[]): Promise<void> {
  for (const count of [...visits, Number.POSITIVE_INFINITY]) {
    let taken = 0;
    for await (const item of session.events({ after: items.at(-1)?.cursor ?? 0 })) {
      items.push(item);
      if (item.type === "session.closed") return;
      taken += 1;
      if (taken >= count) break;
      if (taken % slowEvery === 0) await settle();
    }
  }
}

describe("for any session and any client", () => {
  it.each(["here", "in another process"])("that is run %s: what it folds is what is stored", async (where) => {
    await fc.assert(
      fc.asyncProperty(fc.array(modelReply, { minLength: 1, maxLength: 4 }), fc.array(plan, { minLength: 1, maxLength: 3 }), async (replies, plans) => {
        const test = await start((_request, index) => replies[index % replies.length], { tools, maxSteps: 3, asks: { timeoutMs: 0 } });
        const other = createAgent({ model: scriptedModel([]), storage: test.storage, clock: test.clock });
        const followed = where === "here" ? test.session : await other.session(test.session.id);
        const clients: { items: StreamItem[]; done: Promise<void> }[] = [];
        const join = (client: Plan): void => {
          const items: StreamItem[] = [];
          clients.push({ items, done: read(followed, client, items) });
        };
        let heard = 0;
        const stopJoining = test.session.on("*", () => {
          heard += 1;
          for (const client of plans) if (client.joinAt === heard) join(client);
        });
        const turns = [test.session.prompt("One"), test.session.prompt("Two", { delivery: "steer" }), test.session.prompt("Three")];
        await Promise.all(turns.map(({ settled }) => settled));
        if (clients.length === 0) plans.forEach(join);
        await settle();
        await test.session.queue();
        const messages = await test.session.messages();
        const stored = await test.storage.getSession(test.session.id);
        const expected = JSON.stringify(messages);
        await expect.poll(() => clients.every(({ items }) => JSON.stringify(foldItems(items).messages) === expected), { interval: 1, timeout: 4000 }).toBe(true);
        await settle();
        stopJoining();
        await followed.close();
        await Promise.all(clients.map(({ done }) => done));
        for (const { items } of clients) {
          const folded = foldItems(items);
          expect(folded.messages).toEqual(messages);
          expect({ ...folded.session, seq: 0 }).toEqual({ ...stored, seq: 0 });
        }
        await Promise.all([test.agent.close(), other.close()]);
        expect(test.clock.pending()).toBe(0);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
