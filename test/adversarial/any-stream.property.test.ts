import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAgent, defineTool, memoryStorage, modelProfiles, type SessionEvent } from "throughline";
import { partSchema, withPartsSchema } from "throughline/schema";
import { manualClock, reply, scriptedModel, strictModel, type Reply } from "throughline/testing";
import { z } from "zod";
import { foldEvents } from "../session/event-fold.ts";

const id = fc.constantFrom("1", "2");
const callID = fc.constantFrom("c1", "c2");
const toolName = fc.constantFrom("echo", "fails", "nope", "server");
const maybe = <T>(value: T): fc.Arbitrary<T | undefined> => fc.constantFrom(undefined, value);
const providerMetadata = fc.constantFrom(undefined, { anthropic: { signature: "s" } }, { openai: { itemId: "rs_1", reasoningEncryptedContent: null } }, { google: { thoughtSignature: "t" } });
const data = { type: "data", data: "aGk=" };

/** Parts of every type, in any order, with ids that repeat. */
const part: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ type: fc.constantFrom("text-start", "text-end", "reasoning-start", "reasoning-end"), id, providerMetadata }),
  fc.record({ type: fc.constantFrom("text-delta", "reasoning-delta"), id, delta: fc.constantFrom("", " ", "a", "Hello\n", "\ud83d", "\ude00"), providerMetadata }),
  fc.record({ type: fc.constant("tool-input-start"), id: callID, toolName, providerExecuted: maybe(true), providerMetadata }),
  fc.record({ type: fc.constantFrom("tool-input-delta", "tool-input-end"), id: callID, delta: fc.constantFrom("{", "x") }),
  fc.record({ type: fc.constant("tool-call"), toolCallId: callID, toolName, input: fc.constantFrom('{"text":"a"}', "{}", "", "null", "[1]", '{"text":', '{"__proto__":{"x":1},"text":"p"}'), providerExecuted: maybe(true), providerMetadata }),
  fc.record({ type: fc.constant("tool-result"), toolCallId: callID, toolName, result: fc.constantFrom<unknown>({ a: 1 }, "text", [1], 5), isError: maybe(true), preliminary: maybe(true), providerMetadata }),
  fc.record({ type: fc.constant("tool-approval-request"), approvalId: fc.constantFrom("a1", "a2"), toolCallId: callID }),
  fc.constantFrom<unknown>({ type: "file", mediaType: "image/png", data }, { type: "reasoning-file", mediaType: "image/png", data }, { type: "source", sourceType: "url", id: "s", url: "https://example.com" }, { type: "custom", kind: "a.b" }, { type: "from-the-future" }, { type: "raw", rawValue: 1 }),
);
const finishOf = (unified: string): unknown => ({ type: "finish", finishReason: { unified, raw: unified }, usage: { inputTokens: { total: 3, cacheRead: 1, cacheWrite: Number.NaN }, outputTokens: { total: -1, reasoning: 2 } } });
const finish = fc.constantFrom("stop", "stop", "tool-calls", "tool-calls", "length", "other", "error", "content-filter").map(finishOf);
const failure: fc.Arbitrary<unknown> = fc.constant({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
const toReply = (parts: unknown[]): Reply => reply.chunks(parts as LanguageModelV4StreamPart[], { exact: true });
const proper = fc.tuple(fc.array(part, { maxLength: 8 }), finish).map(([parts, end]) => toReply([...parts, end]));
const wild = fc.array(fc.oneof({ arbitrary: part, weight: 6 }, finish, failure), { maxLength: 10 }).map(toReply);
const replies = fc.array(fc.oneof(proper, wild), { minLength: 1, maxLength: 5 });

/** Parts of a server that sends what it likes: any field may hold anything. */
const rubbish = fc
  .tuple(fc.oneof(part, finish), fc.dictionary(fc.constantFrom("id", "delta", "toolCallId", "toolName", "input", "result", "providerMetadata", "mediaType", "data", "sourceType", "url", "title", "kind", "approvalId", "usage", "finishReason"), fc.constantFrom<unknown>(undefined, null, 5, "", "x", [], [1], {}, { a: 1 }, { a: { b: 10n } }, { type: "url" }), { maxKeys: 3 }))
  .map(([sound, fields]) => Object.assign({}, sound, fields));

const tools = {
  echo: defineTool({ description: "Echoes.", input: z.object({ text: z.string() }), execute: ({ text }) => text }),
  fails: defineTool({ description: "Fails.", input: z.object({}), execute: () => Promise.reject(new Error("It fails.")) }),
};

describe("for any parts in any order", () => {
  it.each(Object.values(modelProfiles))("a session over $name is sound, and every request is legal, also after reopening", async (profile) => {
    await fc.assert(
      fc.asyncProperty(replies, async (script) => {
        const clock = manualClock();
        const storage = memoryStorage({ clock });
        const model = strictModel(scriptedModel((_request, index) => (script[index % script.length])), profile);
        const options = { clock, storage, tools, profile, maxSteps: 4, retry: { maxAttempts: 1 }, asks: { timeoutMs: 0 } };
        const session = await createAgent({ ...options, model }).session();
        const events: SessionEvent[] = [];
        session.on("*", (event) => events.push(event));
        for (const prompt of ["One", "Two"]) expect((await session.prompt(prompt).settled).outcome).toMatch(/^(answered|error|limit)$/);

        const stored = await session.messages();
        expect(foldEvents(events).messages).toEqual(stored);
        for (const message of stored) {
          expect(withPartsSchema.safeParse(message).error).toBeUndefined();
          if (message.info.role === "assistant") expect(message.info.time.completed).toBeDefined();
          for (const { type, state } of message.parts.flatMap((row) => (row.type === "tool" ? [row] : []))) expect(`${type} ${state.status}`).toMatch(/completed|error/);
        }
        const later = strictModel(scriptedModel([reply.text("Done.")]), profile);
        expect((await (await createAgent({ ...options, model: later }).session(session.id)).prompt("Three")).text).toBe("Done.");
        expect([...model.violations, ...later.violations]).toEqual([]);
        expect(clock.pending()).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  it("a session is sound also when their fields hold rubbish", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rubbish, { maxLength: 8 }), finish, async (parts, end) => {
        const clock = manualClock();
        const model = strictModel(scriptedModel((_request, index) => (index === 0 ? toReply([...parts, end]) : reply.text("Done."))));
        const session = await createAgent({ clock, tools, model, retry: { maxAttempts: 1 }, asks: { timeoutMs: 0 } }).session();
        const events: SessionEvent[] = [];
        session.on("*", (event) => events.push(event));
        await session.prompt("One").settled;
        expect((await session.prompt("Two")).text).toBe("Done.");
        const stored = await session.messages();
        for (const message of stored) {
          expect(withPartsSchema.safeParse(message).error).toBeUndefined();
          expect(() => JSON.stringify(message)).not.toThrow();
        }
        for (const event of events) if (event.type === "part.updated") expect(partSchema.safeParse(event.part).error).toBeUndefined();
        expect(foldEvents(events).messages).toEqual(stored);
        expect(model.violations).toEqual([]);
        expect(clock.pending()).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it("a session that is reopened before each prompt sends the same requests, byte for byte, as one that stays open", async () => {
    const requestsOf = async (script: readonly Reply[], reopens: boolean): Promise<string> => {
      const clock = manualClock();
      const counts = new Map<string, number>();
      const ids = (prefix: string): string => {
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
        return `${prefix}_${counts.get(prefix)}`;
      };
      const model = scriptedModel((_request, index) => script[index % script.length]);
      const options = { model, clock, storage: memoryStorage({ clock }), tools, ids, maxSteps: 3, retry: { maxAttempts: 1 }, asks: { timeoutMs: 0 } };
      let session = await createAgent(options).session();
      for (const prompt of ["One", "Two", "Three"]) {
        if (reopens) session = await createAgent(options).session(session.id);
        await session.prompt(prompt).settled;
      }
      return JSON.stringify(model.requests.map((request) => request.prompt));
    };
    await fc.assert(
      fc.asyncProperty(replies, async (script) => {
        expect((await requestsOf(script, true)) === (await requestsOf(script, false))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
