import { describe, expect, it } from "vitest";
import { defineTool, InvalidArgumentError, permissionRules, Processor, toModelMessages, type ProcessInput, type ProcessorOptions, type SessionEvent, type UserMessage } from "throughline";
import { manualClock, reply, scriptedModel, strictModel, type Reply } from "throughline/testing";
import { z } from "zod";
import { story } from "./session-under-test.ts";

const user: UserMessage = {
  id: "msg_1",
  sessionID: "ses_1",
  role: "user",
  agent: "default",
  model: { providerID: "scripted", modelID: "scripted-model" },
  position: 1,
  time: { created: 0 },
};
const prompt = { info: user, parts: [{ id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text" as const, text: "Hi" }] };
const echo = defineTool({ description: "Echoes.", input: z.object({ text: z.string() }), execute: ({ text }) => text });

function setUp(script: readonly Reply[]) {
  const model = strictModel(scriptedModel(script));
  const events: SessionEvent[] = [];
  const clock = manualClock();
  const processor = new Processor({ clock, onEvent: (event) => events.push(event) });
  const input: ProcessInput = { session: { id: "ses_1", rootID: "ses_1" }, user, agent: "default", messages: toModelMessages([prompt], model), model, tools: { echo } };
  return { model, events, clock, processor, input };
}

describe("a processor refuses wrong use at once, and says what it wants", () => {
  it.each<[string, unknown, RegExp]>([
    ["limits that are none", { timeouts: 5 }, /Processor\.options\.timeouts: expected an options object, got number/],
    ["an unknown option", { foo: 5 }, /Processor\.options\.foo: there is no such option\. There are: onEvent,/],
    ["a misspelt option", { onevent: () => undefined }, /Processor\.options\.onevent: there is no such option/],
    ["prices that are incomplete", { prices: {} }, /Processor\.options\.prices\.input/],
    ["a clock that is none", { clock: {} }, /Processor\.options\.clock: expected a Clock/],
    ["no options object", 5, /Processor\.options: expected an options object/],
  ])("%s", (_what, options, message) => {
    expect(() => new Processor(options as ProcessorOptions)).toThrow(InvalidArgumentError);
    expect(() => new Processor(options as ProcessorOptions)).toThrow(message);
  });

  it.each<[string, (input: ProcessInput) => unknown, RegExp]>([
    ["nothing", () => undefined, /process\.input: expected an options object, got undefined/],
    ["an empty input", () => ({}), /process\.input\.session: expected an object, got undefined/],
    ["no model", (input) => ({ ...input, model: undefined }), /process\.input\.model: a model is required/],
    ["a number for a model", (input) => ({ ...input, model: 5 }), /process\.input\.model: expected an AI SDK language model/],
    ["an empty model id", (input) => ({ ...input, model: "" }), /a model is required/],
    ["no messages", (input) => ({ ...input, messages: undefined }), /process\.input\.messages: .*toModelMessages/],
    ["a user without an id", (input) => ({ ...input, user: {} }), /process\.input\.user\.id: expected a text/],
    ["a session without a root", (input) => ({ ...input, session: { id: "s" } }), /process\.input\.session\.rootID: expected a text/],
    ["an agent without a name", (input) => ({ ...input, agent: {} }), /process\.input\.agent\.name: expected a text/],
    ["a list of tools", (input) => ({ ...input, tools: [echo] }), /process\.input\.tools: expected an object, got a list/],
    ["a step that is none", (input) => ({ ...input, step: 0 }), /process\.input\.step: expected a whole number/],
    ["a misspelt name", (input) => ({ ...input, instructions: "Be brief." }), /process\.input\.instructions: there is no such option\. There are: .*system/],
    ["a permission that is none", (input) => ({ ...input, permissions: 5 }), /permissions: must be a list of rules/],
  ])("%s", async (_what, change, message) => {
    const { processor, input, model } = setUp([]);
    const processing = processor.process(change(input) as ProcessInput);
    await expect(processing).rejects.toThrow(InvalidArgumentError);
    await expect(processing).rejects.toThrow(message);
    expect(model.calls).toBe(0);
  });
});

describe("a processor that works alone", () => {
  it("runs one step: the model call, then its tools", async () => {
    const { processor, input, model, events, clock } = setUp([[reply.text("Let me see."), reply.toolCall("echo", { text: "a" })]]);
    expect(await processor.process({ ...input, system: ["Be brief.", "", "Be kind."] })).toBe("continue");
    expect(processor.message).toMatchObject({ role: "assistant", parentID: "msg_1", step: 1, attempt: 1, position: 2, finish: "tool-calls" });
    expect(processor.parts.map(({ type }) => type)).toEqual(["step-start", "text", "tool", "step-finish"]);
    expect(processor.parts[2]).toMatchObject({ callID: "call_1", state: { status: "completed", output: "a" } });
    expect(model.requests[0]?.prompt[0]).toEqual({ role: "system", content: "Be brief.\n\nBe kind." });
    expect(model.calls).toBe(1);
    expect(story(events).filter((type) => type !== "part.delta")).toEqual(["step.started", "step.finished", "tool.started", "tool.finished"]);
    expect(events.at(-1)).toMatchObject({ type: "message.updated", message: processor.message });
    expect(clock.pending()).toBe(0);
  });

  it("is driven by a loop of one's own", async () => {
    const { processor, input, model } = setUp([reply.toolCall("echo", { text: "a" }), reply.text("Done.")]);
    const history: Parameters<typeof toModelMessages>[0][number][] = [prompt];
    for (let step = 1; step <= 2; step += 1) {
      await processor.process({ ...input, messages: toModelMessages(history, model), step });
      if (processor.message !== undefined) history.push({ info: processor.message, parts: [...processor.parts] });
    }
    expect(model.requests[1]?.prompt.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(model.violations).toEqual([]);
    expect(processor.parts.find(({ type }) => type === "text")).toMatchObject({ text: "Done." });
  });

  it("says stop when the step failed, and why", async () => {
    const { processor, input, clock } = setUp([[reply.text("Half"), reply.error(new Error("socket closed"))]]);
    expect(await processor.process(input)).toBe("stop");
    expect(processor.message).toMatchObject({ error: { message: "socket closed" } });
    expect(processor.parts.find(({ type }) => type === "text")).toMatchObject({ text: "Half" });
    expect(clock.pending()).toBe(0);
  });

  it("is not hurt by an onEvent that throws", async () => {
    const { input } = setUp([[reply.text("Let me see."), reply.toolCall("echo", { text: "a" })]]);
    const problems: string[] = [];
    const processor = new Processor({
      onEvent: () => {
        throw new Error("I throw at everything.");
      },
      logger: ({ message }) => problems.push(message),
    });
    expect(await processor.process(input)).toBe("continue");
    expect(processor.parts[2]).toMatchObject({ state: { status: "completed", output: "a" } });
    expect(problems).toContain('The onEvent option threw at "tool.finished".');
  });

  it("says compact when the provider refused the request as too large", async () => {
    const { processor, input } = setUp([reply.error(Object.assign(new Error("too long"), { statusCode: 413 }))]);
    expect(await processor.process(input)).toBe("compact");
    expect(processor.message).toMatchObject({ error: { code: "overflow" } });
  });

  it("asks its policy, or the one of the step", async () => {
    const { processor, input } = setUp([reply.toolCall("echo", { text: "a" })]);
    await processor.process({ ...input, permissions: permissionRules([{ permission: "echo", action: "deny" }]) });
    expect(processor.parts.find(({ type }) => type === "tool")).toMatchObject({ state: { status: "error", error: expect.stringContaining("not permitted") as string } });
  });

  it("ends by its signal, and makes no call when that was aborted before", async () => {
    const { processor, input, model } = setUp([]);
    expect(await processor.process({ ...input, abortSignal: AbortSignal.abort() })).toBe("stop");
    expect(processor.message).toMatchObject({ error: { code: "aborted" } });
    expect(model.calls).toBe(0);
  });

  it("folds every kind of part", async () => {
    const { processor, input } = setUp([
      [
        reply.reasoning("Hm.", { signature: "sig" }),
        reply.text("See:"),
        reply.file("image/png", "iVBORw0KGgo="),
        reply.file("image/png", "iVBORw0KGgo=", { reasoning: true }),
        reply.source("https://example.com", { title: "Example" }),
        reply.chunks([{ type: "custom", kind: "openai.compaction", providerMetadata: { openai: { id: "c1" } } }]),
        reply.toolCall("web_search", { query: "x" }, { result: { hits: 1 } }),
      ],
    ]);
    await processor.process(input);
    expect(processor.parts).toMatchObject([
      { type: "step-start" },
      { type: "reasoning", text: "Hm.", metadata: { anthropic: { signature: "sig" } } },
      { type: "text", text: "See:" },
      { type: "file", mime: "image/png", url: "data:image/png;base64,iVBORw0KGgo=" },
      { type: "file", reasoning: true },
      { type: "source", url: "https://example.com", title: "Example" },
      { type: "custom", kind: "openai.compaction", metadata: { openai: { id: "c1" } } },
      { type: "tool", tool: "web_search", providerExecuted: true, state: { status: "completed", output: '{"hits":1}' } },
      { type: "step-finish", reason: "stop" },
    ]);
  });

  it("keeps blocks apart that interleave, and merges the metadata of their start, deltas and end", async () => {
    const { processor, input } = setUp([
      reply.chunks([
        { type: "reasoning-start", id: "1", providerMetadata: { openai: { itemId: "r1" } } },
        { type: "text-start", id: "1" },
        { type: "reasoning-delta", id: "1", delta: "Think", providerMetadata: { openai: { encrypted: "e" } } },
        { type: "text-delta", id: "1", delta: "Say" },
        { type: "reasoning-delta", id: "1", delta: "ing" },
        { type: "text-delta", id: "1", delta: "ing" },
        { type: "text-end", id: "1" },
        { type: "reasoning-end", id: "1", providerMetadata: { openai: { done: true } } },
      ]),
    ]);
    await processor.process(input);
    expect(processor.parts.slice(1, 3)).toMatchObject([
      { type: "reasoning", text: "Thinking", metadata: { openai: { itemId: "r1", encrypted: "e", done: true } } },
      { type: "text", text: "Saying" },
    ]);
  });

  it("ignores part types that it does not know", async () => {
    // Providers add part types in patch releases: this is one that the types do not have.
    const unknown = { type: "hologram", data: 1 } as unknown as Parameters<typeof reply.chunks>[0][number];
    const { processor, input } = setUp([[reply.chunks([unknown]), reply.text("Fine.")]]);
    expect(await processor.process(input)).toBe("continue");
    expect(processor.parts.find(({ type }) => type === "text")).toMatchObject({ text: "Fine." });
  });
});
