import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { InvalidArgumentError } from "../../src/errors.ts";
import { UnexpectedModelCallError, UnusedRepliesError, manualClock, reply, scriptedModel } from "throughline/testing";
import { ask, deltasOf, readAll, typesOf } from "./call-options.ts";

describe("the script", () => {
  it("has one entry per call, a reply or a function of the request", async () => {
    const model = scriptedModel([reply.text("one"), (request, index) => reply.text(`${index}: ${request.prompt.length}`)]);
    const first = await readAll((await model.doStream(ask())).stream);
    const second = await readAll((await model.doStream(ask())).stream);
    expect([...deltasOf(first.parts), ...deltasOf(second.parts)]).toEqual(["one", "1: 1"]);
    expect(model.calls).toBe(2);
    model.assertDone();
  });

  it("may be one function for all calls", async () => {
    const model = scriptedModel((_request, index) => (index < 2 ? reply.text(`call ${index}`) : undefined));
    await model.doStream(ask());
    const { parts } = await readAll((await model.doStream(ask())).stream);
    expect(deltasOf(parts)).toEqual(["call 1"]);
    model.assertDone();
    await expect(model.doStream(ask())).rejects.toThrow(UnexpectedModelCallError);
  });

  it("fails a call that it has no reply for, and assertDone says so even when that was caught", async () => {
    const model = scriptedModel([reply.text("only one")]);
    await model.doStream(ask("first"));
    await expect(model.doStream(ask("Delete the file"))).rejects.toMatchObject({ code: "unexpected-model-call", call: 2 });
    expect(() => {
      model.assertDone();
    }).toThrow(/call 2.*"Delete the file"/s);
    expect(model.calls).toBe(2);
  });

  it("tells of a failed expectation in a reply function, even when that was caught", async () => {
    const failure = new Error("expected 2 messages");
    const model = scriptedModel([
      () => {
        throw failure;
      },
    ]);
    await expect(model.doStream(ask())).rejects.toBe(failure);
    expect(() => {
      model.assertDone();
    }).toThrow(failure);
  });

  it("names what follows the last user message of an unexpected call", async () => {
    const model = scriptedModel([]);
    const prompt: LanguageModelV4CallOptions["prompt"] = [...ask("Go").prompt, { role: "assistant", content: [{ type: "text", text: "Done" }] }];
    await expect(model.doStream({ prompt })).rejects.toThrow(/"Go".*role "assistant"/s);
    await expect(model.doStream({ prompt: [] })).rejects.toThrow(/no user message/);
  });

  it("reports the replies that were never asked for", async () => {
    const model = scriptedModel([reply.text("a"), reply.text("b"), reply.text("c")]);
    await model.doStream(ask());
    expect(() => {
      model.assertDone();
    }).toThrow(UnusedRepliesError);
    expect(() => {
      model.assertDone();
    }).toThrow(/2 of 3/);
  });

  it.each([
    ["no script", undefined],
    ["a string instead of a reply", ["hi"]],
    ["a hole", [reply.text("a"), undefined]],
  ])("refuses %s at once", (_name, script) => {
    // The types forbid these; a caller in plain JavaScript can still pass them.
    expect(() => scriptedModel(script as never)).toThrow(InvalidArgumentError);
  });

  it("refuses a chunk size that would send nothing", () => {
    expect(() => scriptedModel([], { chunkSize: 0 })).toThrow(InvalidArgumentError);
  });

  it.each<[string, unknown, unknown, RegExp]>([
    ["null as options", [], null, /scriptedModel\.options: expected an options object, got null/],
    ["an unknown option", [], { delay: 5 }, /scriptedModel\.options\.delay: there is no such option/],
    ["a delay that is a text", [], { delayMs: "x" }, /scriptedModel\.options\.delayMs: expected a number/],
    ["a delay that is negative", [], { delayMs: -1 }, /scriptedModel\.options\.delayMs: must be at least 0/],
    ["a clock that is none", [], { clock: 5 }, /scriptedModel\.options\.clock: expected an object/],
    ["a clock without a timer", [], { clock: { now: () => 0 } }, /scriptedModel\.options\.clock: expected a Clock/],
    ["a usage that is a number", [], { usage: 5 }, /scriptedModel\.options\.usage: expected an object/],
    ["a piece of an unknown type", [{ type: "bogus" }], {}, /scriptedModel\.script\[0\]: must be made with reply\.text/],
    ["a piece in a reply of several", [[reply.text("Hi"), { type: "bogus" }]], {}, /scriptedModel\.script\[0\]\[1\]: must be made with/],
    ["a text without a text", [{ type: "text" }], {}, /scriptedModel\.script\[0\]\.text: expected a text, got undefined/],
    ["chunks without parts", [{ type: "chunks" }], {}, /scriptedModel\.script\[0\]\.parts: expected a list/],
  ])("refuses %s", (_what, script, options, message) => {
    expect(() => scriptedModel(script as never, options as never)).toThrow(message);
    expect(() => scriptedModel(script as never, options as never)).toThrow(InvalidArgumentError);
  });

  it("refuses what a function of the script returns, in the call and at the end of the test", async () => {
    const model = scriptedModel([() => Promise.resolve(reply.text("Hi")) as never]);
    await expect(model.doStream(ask())).rejects.toThrow(/scriptedModel\.script, reply 0: must be made with/);
    expect(() => {
      model.assertDone();
    }).toThrow(InvalidArgumentError);
  });
});

describe("the stream", () => {
  it("runs no further than its reader", async () => {
    const clock = manualClock();
    const setTimeout = vi.spyOn(clock, "setTimeout");
    const { stream } = await scriptedModel([reply.text("abc", { chunks: 3 })], { delayMs: 10, clock }).doStream(ask());
    await clock.advance(1000);
    expect(setTimeout).not.toHaveBeenCalled();
    await stream.cancel();
  });

  it("waits before each part when it is told to", async () => {
    const clock = manualClock();
    const { stream } = await scriptedModel([reply.text("a")], { delayMs: 10, clock }).doStream(ask());
    let done = false;
    const reading = readAll(stream).then((seen) => {
      done = true;
      return seen;
    });
    await clock.advance(49);
    expect(done).toBe(false);
    await clock.advance(1);
    expect(typesOf((await reading).parts)).toEqual(["stream-start", "text-start", "text-delta", "text-end", "finish"]);
  });

  it("leaves no timer when it is cancelled or aborted in a delay", async () => {
    const clock = manualClock();
    const controller = new AbortController();
    const model = scriptedModel(() => reply.text("a"), { delayMs: 10, clock });
    const cancelled = (await model.doStream(ask())).stream.getReader();
    const aborted = (await model.doStream(ask("x", { abortSignal: controller.signal }))).stream.getReader();
    const reads = Promise.allSettled([cancelled.read(), aborted.read()]);
    expect(clock.pending()).toBe(2);
    await cancelled.cancel();
    controller.abort(new Error("stop"));
    expect(clock.pending()).toBe(0);
    expect(await reads).toMatchObject([{ value: { done: true } }, { reason: { message: "stop" } }]);
  });
});

describe("abort", () => {
  it("refuses a call whose signal is aborted already", async () => {
    const reason = new Error("gone");
    await expect(scriptedModel([reply.text("a")]).doStream(ask("x", { abortSignal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
  });

  it("ends a stalled stream with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("stop");
    const model = scriptedModel([[reply.text("abcd", { chunks: 2 }), reply.stall({ afterChunks: 1 })]]);
    const { stream } = await model.doStream(ask("x", { abortSignal: controller.signal }));
    const reader = stream.getReader();
    const seen: unknown[] = [];
    for (let count = 0; count < 3; count += 1) seen.push((await reader.read()).value);
    expect(seen.at(-1)).toMatchObject({ type: "text-delta", delta: "ab" });
    const next = reader.read();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  it("is not noticed by a reply that ignores it, which a cancel still ends", async () => {
    const controller = new AbortController();
    const model = scriptedModel([[reply.text("a"), reply.stall({ ignoreAbort: true })]]);
    const { stream } = await model.doStream(ask("x", { abortSignal: controller.signal }));
    const reader = stream.getReader();
    controller.abort();
    expect((await reader.read()).value).toMatchObject({ type: "stream-start" });
    for (let count = 0; count < 3; count += 1) await reader.read();
    const stalled = reader.read();
    await reader.cancel();
    expect(await stalled).toEqual({ done: true, value: undefined });
  });

  it("ends a call that hangs before its stream", async () => {
    const controller = new AbortController();
    const reason = new Error("stop");
    const call = scriptedModel([reply.stall({ beforeStream: true })]).doStream(ask("x", { abortSignal: controller.signal }));
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("leaves no listener on the signal, however the stream ended", async () => {
    const controller = new AbortController();
    const add = vi.spyOn(controller.signal, "addEventListener");
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const model = scriptedModel([reply.text("a"), [reply.text("a"), reply.error(new Error("broken"))], reply.cut(), reply.stall()]);
    for (let call = 0; call < 3; call += 1) await readAll((await model.doStream(ask("x", { abortSignal: controller.signal }))).stream);
    await (await model.doStream(ask("x", { abortSignal: controller.signal }))).stream.cancel();
    expect(add).toHaveBeenCalledTimes(4);
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(add.mock.calls.map(([, listener]) => listener));
  });
});

describe("doGenerate", () => {
  it("gives the same reply in one piece", async () => {
    const thought = reply.reasoning("Hmm", { signature: "sig" });
    const model = scriptedModel([[thought, reply.text("Hello", { chunks: 3 }), reply.toolCall("read", { path: "a" }), reply.usage({ input: 5 })]]);
    const result = await model.doGenerate(ask());
    expect(result.content).toEqual([
      { type: "reasoning", text: "Hmm", providerMetadata: { anthropic: { signature: "sig" } } },
      { type: "text", text: "Hello" },
      { type: "tool-call", toolCallId: "call_1", toolName: "read", input: '{"path":"a"}' },
    ]);
    expect(result.finishReason.unified).toBe("tool-calls");
    expect(result.usage.inputTokens.total).toBe(5);
    expect(result.warnings).toEqual([]);
  });

  it("says the same as the stream, for any reply", async () => {
    const piece = fc.oneof(
      fc.string().map((text) => reply.text(text)),
      fc.string().map((text) => reply.reasoning(text, { signature: "sig" })),
      fc.dictionary(fc.string(), fc.string()).map((input) => reply.toolCall("tool", input)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.integer({ min: 1, max: 5 }), async (pieces, chunkSize) => {
        const model = scriptedModel(() => pieces, { chunkSize });
        const { parts } = await readAll((await model.doStream(ask())).stream);
        const result = await model.doGenerate(ask());
        const streamed = (type: "text-delta" | "reasoning-delta") => parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join("");
        const generated = (type: "text" | "reasoning") => result.content.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
        expect(generated("text")).toBe(streamed("text-delta"));
        expect(generated("reasoning")).toBe(streamed("reasoning-delta"));
        const inputs = (list: readonly { type: string; input?: unknown }[]) => list.flatMap((part) => (part.type === "tool-call" ? [part.input] : []));
        expect(inputs(result.content)).toEqual(inputs(parts));
        const { finishReason, usage } = result;
        expect(parts.at(-1)).toEqual({ type: "finish", finishReason, usage });
      }),
    );
  });

  it("fails with an error part, and gives what came of a cut reply", async () => {
    const failure = new Error("broken");
    const model = scriptedModel([[reply.text("a"), reply.error(failure, { inStream: "part" })], [reply.text("half"), reply.cut()]]);
    await expect(model.doGenerate(ask())).rejects.toBe(failure);
    expect(await model.doGenerate(ask())).toMatchObject({ content: [{ type: "text", text: "half" }], finishReason: { unified: "other" } });
  });

  it("keeps response metadata and the finish's own metadata", async () => {
    const model = scriptedModel([
      [
        reply.chunks([
          { type: "response-metadata", id: "resp_1", modelId: "served-model" },
          {
            type: "finish",
            finishReason: { unified: "stop", raw: "end" },
            usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
            providerMetadata: { openai: { responseId: "resp_1" } },
          },
        ]),
      ],
    ]);
    expect(await model.doGenerate(ask())).toMatchObject({
      response: { id: "resp_1", modelId: "served-model" },
      finishReason: { raw: "end" },
      providerMetadata: { openai: { responseId: "resp_1" } },
    });
  });
});
