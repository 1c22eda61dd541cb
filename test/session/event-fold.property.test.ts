import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTool } from "throughline";
import { reply, type Reply, type ReplyFinish, type ReplyPiece } from "throughline/testing";
import { z } from "zod";
import { foldEvents } from "./event-fold.ts";
import { expectDone, start } from "./session-under-test.ts";

const tools = {
  echo: defineTool({ description: "Echoes.", input: z.object({ text: z.string() }), execute: ({ text }) => text }),
  fails: defineTool({
    description: "Fails.",
    input: z.object({}),
    execute: () => {
      throw new Error("It fails.");
    },
  }),
};

const words = fc.string({ unit: "grapheme", maxLength: 12 });
const chunks = fc.integer({ min: 1, max: 4 });
const piece: fc.Arbitrary<ReplyPiece> = fc.oneof(
  fc.record({ text: words, chunks }).map(({ text, chunks: count }) => reply.text(text, { chunks: count })),
  fc.record({ text: words, chunks }).map(({ text, chunks: count }) => reply.reasoning(text, { chunks: count, signature: "sig" })),
  words.map((text) => reply.toolCall("echo", { text }, { chunks: 2 })),
  fc.constantFrom(reply.toolCall("fails"), reply.toolCall("Echo", { text: "x" }), reply.toolCall("nope"), reply.toolCall("echo", '{"text":'), reply.toolCall("echo", { text: "y" }, { id: "same" })),
  fc.constant(reply.source("https://example.com")),
);
const finish = fc.constantFrom<ReplyFinish | undefined>(undefined, undefined, "stop", "tool-calls", "length", "other", "content-filter", "error");
const ending = fc.constantFrom<ReplyPiece | undefined>(undefined, undefined, undefined, reply.error(new Error("broke")), reply.error(new Error("part"), { inStream: "part" }), reply.cut());
const modelReply: fc.Arbitrary<Reply> = fc.record({ pieces: fc.array(piece, { maxLength: 4 }), finish, ending }).map((parts) => [
  ...parts.pieces,
  ...(parts.finish === undefined ? [] : [reply.finish(parts.finish)]),
  ...(parts.ending === undefined ? [] : [parts.ending]),
]);

describe("for any model", () => {
  it("folding the events gives the stored session, every prompt has one outcome, and calls stay within the limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(modelReply, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 4 }), async (replies, maxSteps) => {
        const test = await start((_request, index) => replies[index % replies.length], { tools, maxSteps, asks: { timeoutMs: 0 } });
        const turns = [test.session.prompt("One"), test.session.prompt("Two", { delivery: "steer" }), test.session.prompt("Three")];
        const results = await Promise.all(turns.map(({ settled }) => settled));

        const folded = foldEvents(test.events);
        expect(folded.messages).toEqual(await test.session.messages());
        expect(folded.session).toEqual(test.session.info);
        const { seq: _seq, ...row } = (await test.storage.getSession(test.session.id)) ?? test.session.info;
        const { seq: _heard, ...heard } = folded.session ?? test.session.info;
        expect(heard).toEqual(row);

        expect(test.model.calls).toBeLessThanOrEqual(turns.length * maxSteps);
        expect(results.every(({ outcome }) => outcome !== "cancelled" && outcome !== "aborted")).toBe(true);
        const outcomes = folded.messages.flatMap(({ info }) => (info.role === "user" ? [info.outcome?.type] : []));
        expect(outcomes.sort()).toEqual(results.map(({ outcome }) => outcome).sort());
        expectDone(test);
      }),
      { numRuns: 150 },
    );
  });
});
