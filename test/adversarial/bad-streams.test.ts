import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { createAgent, type Part, type Session, type TurnResult } from "throughline";
import { partSchema } from "throughline/schema";
import { manualClock, reply, type Reply } from "throughline/testing";
import { echoTool, expectDone, nextEvent, start } from "../session/session-under-test.ts";

/** A stream of exactly these parts, whatever the specification says about them. */
const stream = (...parts: unknown[]): Reply => reply.chunks(parts as LanguageModelV4StreamPart[], { exact: true });
const text = [{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: "Hello" }, { type: "text-end", id: "1" }];
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const finish = { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } };
const call = { type: "tool-call", toolCallId: "c1", toolName: "echo", input: '{"text":"a"}' };

/** What no store can hold as it is. */
function cyclic(): object {
  const value: Record<string, unknown> = { text: "a", big: 10n };
  value["self"] = value;
  return value;
}

async function expectClosed(session: Session): Promise<void> {
  for (const { info, parts } of await session.messages()) {
    for (const part of parts) expect(partSchema.safeParse(part).error).toBeUndefined();
    if (info.role === "assistant") expect(info.time.completed).toBeDefined();
    for (const part of parts) {
      if (part.type === "tool") expect(["completed", "error"]).toContain(part.state.status);
      if (part.type === "text" && info.role === "assistant") expect(part.time?.end).toBeDefined();
    }
  }
}

describe("a stream that its provider got wrong", () => {
  it.each<[string, Reply, Partial<TurnResult>]>([
    ["has null as its usage", stream(...text, { ...finish, usage: null }), { outcome: "answered", text: "Hello" }],
    ["has half a usage", stream(...text, { ...finish, usage: { outputTokens: { total: 3 } } }), { outcome: "answered", tokens: { input: 0, output: 3, reasoning: 0, cache: { read: 0, write: 0 } } }],
    ["has numbers for the sides of its usage", stream(...text, { ...finish, usage: { inputTokens: 5, outputTokens: 3 } }), { outcome: "answered" }],
    ["has no finish reason", stream(...text, { type: "finish", usage }), { outcome: "answered", text: "Hello" }],
    ["has a delta without text", stream({ type: "text-delta", id: "1" }, finish), { outcome: "error" }],
    ["has null for a part", stream(...text, null, finish), { outcome: "error", text: "Hello" }],
    ["has an error that is null", stream(...text, { type: "error", error: null }), { outcome: "error", text: "Hello" }],
    ["has a finish twice", stream(...text, finish, finish), { outcome: "answered", text: "Hello" }],
    ["has its text behind its finish", stream(finish, ...text), { outcome: "answered", text: "Hello" }],
    ["has an error behind its finish", stream(...text, finish, { type: "error", error: new Error("Late.") }), { outcome: "error", text: "Hello" }],
    ["ends a block before it begins", stream({ type: "text-end", id: "1" }, ...text, finish), { outcome: "answered", text: "Hello" }],
    ["goes on with a block that it ended", stream(...text, { type: "text-delta", id: "1", delta: ", you" }, finish), { outcome: "answered", text: "Hello, you" }],
    ["has the result of a call that nobody made", stream({ type: "tool-result", toolCallId: "c9", toolName: "web", result: { a: 1 } }, ...text, finish), { outcome: "answered", text: "Hello" }],
    ["has a call without a name", stream({ ...call, toolName: undefined }, finish), { outcome: "error" }],
    ["has a call without an id", stream(...text, { ...call, toolCallId: null }, finish), { outcome: "error", text: "Hello" }],
    ["has a call whose name comes only with its end", stream({ type: "tool-input-start", id: "c1" }, call, finish), { outcome: "answered", text: "Next." }],
    ["has a call whose arguments are cyclic", stream({ ...call, input: cyclic() }, finish), { outcome: "answered", text: "Next." }],
    ["has the piece of a call without text", stream({ type: "tool-input-start", id: "c1", toolName: "echo" }, { type: "tool-input-delta", id: "c1" }, ...text), { outcome: "error", text: "Hello" }],
    ["has null as metadata", stream(...[...text, { ...finish }].map((part) => ({ ...part, providerMetadata: null }))), { outcome: "answered", text: "Hello" }],
    ["has texts as metadata", stream(...[...text, { ...finish }].map((part) => ({ ...part, providerMetadata: { a: "text", b: { c: 1 } } }))), { outcome: "answered", text: "Hello" }],
    ["has metadata that is no JSON", stream(...text.map((part) => ({ ...part, providerMetadata: { a: cyclic() } })), finish), { outcome: "answered", text: "Hello" }],
    ["has one word as its finish reason", stream(...text, { ...finish, finishReason: "stop" }), { outcome: "answered", text: "Hello" }],
    ["has an odd finish reason", stream(...text, { ...finish, finishReason: { unified: 5, raw: {} } }), { outcome: "answered", text: "Hello" }],
    ["has a result that is no JSON", stream({ ...call, toolName: "web", providerExecuted: true }, { type: "tool-result", toolCallId: "c1", toolName: "web", result: cyclic() }, ...text, finish), { outcome: "answered", text: "Hello" }],
    ["has no list of warnings", stream({ type: "stream-start" }, ...text, finish), { outcome: "answered", text: "Hello" }],
    ["has a call whose arguments were parsed", stream({ ...call, input: { text: "a" } }, finish), { outcome: "answered", text: "Next." }],
    ["has a call without arguments", stream({ ...call, input: undefined }, finish), { outcome: "answered", text: "Next." }],
  ])("and that %s leaves a sound session", async (_what, first, expected) => {
    const { echo } = echoTool();
    const test = await start((_request, index) => (index === 0 ? first : reply.text("Next.")), { tools: { echo } });
    expect(await test.session.prompt("Hi").settled).toMatchObject(expected);
    await expectClosed(test.session);
    expect((await test.session.prompt("Again")).text).toBe("Next.");
    expectDone(test);
  });

  it.each<[string, unknown, Part["type"][]]>([
    ["a source of an unknown type", { type: "source", sourceType: "x", id: "s", url: 5, title: 5, filename: "a.txt" }, ["source"]],
    ["a source without an id", { type: "source", sourceType: "url", url: "https://example.com" }, []],
    ["custom content without a kind", { type: "custom" }, []],
    ["custom content of a kind that names no provider", { type: "custom", kind: "x" }, []],
    ["a file without a media type", { type: "file", data: { type: "data", data: "aGk=" } }, []],
    ["a file whose data is missing", { type: "file", mediaType: "image/png" }, []],
    ["a file whose data is a number", { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: 5 } }, []],
    ["a result for no call", { type: "tool-result", result: "r" }, []],
    ["an approval without an id", { type: "tool-approval-request", toolCallId: "c1" }, []],
    ["the start of a call without an id", { type: "tool-input-start", toolName: "echo" }, []],
    ["a delta that is no text", { type: "text-delta", id: "9", delta: 5 }, []],
  ])("stores nothing unsound for %s, and says so", async (_what, part, stored) => {
    const test = await start([stream(part, ...text, finish)]);
    const { messages, text: answer } = await test.session.prompt("Hi");
    expect(answer).toBe("Hello");
    expect(messages[0]?.parts.map(({ type }) => type)).toEqual(["step-start", ...stored, "text", "step-finish"]);
    expect(test.problems).toEqual(stored.length > 0 ? [] : [expect.stringContaining("was ignored")]);
    await expectClosed(test.session);
    expectDone(test);
  });

  it("keeps the address of a file, as a URL or as text", async () => {
    const file = (url: unknown) => ({ type: "file", mediaType: "image/png", data: { type: "url", url } });
    const test = await start([stream(file("https://example.com/a.png"), file(new URL("https://example.com/b.png")), finish)]);
    const { messages } = await test.session.prompt("Draw.");
    expect(messages[0]?.parts.flatMap((part) => (part.type === "file" ? [part.url] : []))).toEqual(["https://example.com/a.png", "https://example.com/b.png"]);
  });

  it("has an error with words even when the provider throws nothing", async () => {
    const test = await start([stream(...text, { type: "error", error: null })]);
    const result = await test.session.prompt("Hi").settled;
    expect(result.outcome === "error" && result.error.message).toBe("An error of type null was thrown.");
  });
});

describe("a model whose doStream", () => {
  const error = new Error("At once.");
  it.each<[string, () => unknown]>([
    ["throws at once", () => { throw error; }],
    ["returns nothing", () => undefined],
    ["returns no stream", () => Promise.resolve({})],
    ["returns a list for the stream", () => Promise.resolve({ stream: [] })],
    ["has a stream that breaks without a reason", () => Promise.resolve({ stream: new ReadableStream({ start: (controller) => { controller.error(); } }) })],
  ])("%s makes the turn an error, and leaves no timer", async (_what, doStream) => {
    const clock = manualClock();
    const model = { specificationVersion: "v4", provider: "bad", modelId: "bad", supportedUrls: {}, doStream, doGenerate: doStream };
    const session = await createAgent({ model: model as never, clock }).session(); // Wrong on purpose.
    expect(await session.prompt("Hi").settled).toMatchObject({ outcome: "error" });
    await expectClosed(session);
    expect(clock.pending()).toBe(0);
  });
});

describe("a reader that does not follow the standard", () => {
  it.each<[string, () => unknown]>([
    ["returns no promise when it is cancelled", () => undefined],
    ["throws when it is cancelled", () => { throw new Error("Locked."); }],
    ["rejects when it is cancelled", () => Promise.reject(new Error("Locked."))],
  ])("and that %s does not keep an aborted turn, or one without an answer, from ending", async (_what, cancel) => {
    const clock = manualClock();
    const doStream = () => Promise.resolve({ stream: { getReader: () => ({ read: () => new Promise(() => undefined), cancel }) } });
    const model = { specificationVersion: "v4", provider: "bad", modelId: "bad", supportedUrls: {}, doStream, doGenerate: doStream };
    const session = await createAgent({ model: model as never, clock }).session(); // Wrong on purpose.
    const turn = session.prompt("Hi");
    await nextEvent(session, "step.started");
    await turn.abort();
    expect((await turn.settled).outcome).toBe("aborted");
    const silent = session.prompt("Hi");
    await nextEvent(session, "step.started");
    await clock.advance(600_000);
    expect(await silent.settled).toMatchObject({ outcome: "error", error: { code: "timeout" } });
    await expectClosed(session);
    expect(clock.pending()).toBe(0);
  });

  it("is cancelled also when its stream comes after the abort", async () => {
    const clock = manualClock();
    let arrive = (_: unknown): void => undefined;
    const reasons: unknown[] = [];
    const doStream = () => new Promise((resolve) => (arrive = resolve));
    const model = { specificationVersion: "v4", provider: "bad", modelId: "bad", supportedUrls: {}, doStream, doGenerate: doStream };
    const session = await createAgent({ model: model as never, clock }).session(); // Wrong on purpose.
    const turn = session.prompt("Hi");
    await nextEvent(session, "step.started");
    // The call itself is made in the same breath as the event.
    await new Promise((resolve) => setImmediate(resolve));
    await turn.abort();
    arrive({ stream: { cancel: (reason: unknown) => reasons.push(reason), getReader: () => { throw new Error("Nobody reads it."); } } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(reasons).toHaveLength(1);
  });
});
