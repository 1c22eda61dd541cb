import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Reply, type ScriptedModelOptions, reply, scriptedModel } from "throughline/testing";
import { ask, deltasOf, readAll, typesOf } from "./call-options.ts";

async function play(answer: Reply, options?: ScriptedModelOptions): Promise<{ parts: LanguageModelV4StreamPart[]; error?: unknown }> {
  const { stream } = await scriptedModel([answer], options).doStream(ask());
  return readAll(stream);
}

describe("reply.text", () => {
  it("is a stream start, one text block and a finish", async () => {
    const { parts } = await play(reply.text("hi"));
    expect(parts).toEqual([
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "text-0" },
      { type: "text-delta", id: "text-0", delta: "hi" },
      { type: "text-end", id: "text-0" },
      { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: expect.anything() as unknown },
    ]);
  });

  it("comes in the stated number of deltas", async () => {
    const { parts } = await play(reply.text("Once upon a time", { chunks: 3 }));
    expect(deltasOf(parts)).toEqual(["Once ", "upon ", "a time"]);
  });

  it("splits any text into well-formed deltas that join to it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 9 }), async (text, chunkSize) => {
        const deltas = deltasOf((await play(reply.text(text), { chunkSize })).parts);
        expect(deltas.join("")).toBe(text);
        for (const delta of deltas) {
          expect(Array.from(delta).length).toBeLessThanOrEqual(chunkSize);
          expect(delta).not.toBe("");
          expect(delta.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it("keeps two blocks apart and sends metadata with the end", async () => {
    const { parts } = await play([reply.text("a"), reply.text("b", { metadata: { openai: { itemId: "m1" } } })]);
    expect(parts.filter((part) => part.type === "text-end")).toEqual([
      { type: "text-end", id: "text-0" },
      { type: "text-end", id: "text-1", providerMetadata: { openai: { itemId: "m1" } } },
    ]);
  });
});

describe("reply.reasoning", () => {
  it("sends a signature on an empty delta after the text", async () => {
    const { parts } = await play(reply.reasoning("Hmm", { signature: "sig" }));
    expect(parts.slice(1, -1)).toEqual([
      { type: "reasoning-start", id: "reasoning-0" },
      { type: "reasoning-delta", id: "reasoning-0", delta: "Hmm" },
      { type: "reasoning-delta", id: "reasoning-0", delta: "", providerMetadata: { anthropic: { signature: "sig" } } },
      { type: "reasoning-end", id: "reasoning-0" },
    ]);
  });
});

describe("reply.toolCall", () => {
  it("streams the arguments, then the call, and finishes with tool-calls", async () => {
    const { parts } = await play(reply.toolCall("read", { path: "a" }, { chunks: 2 }));
    expect(parts.slice(1, -1)).toEqual([
      { type: "tool-input-start", id: "call_1", toolName: "read" },
      { type: "tool-input-delta", id: "call_1", delta: '{"path' },
      { type: "tool-input-delta", id: "call_1", delta: '":"a"}' },
      { type: "tool-input-end", id: "call_1" },
      { type: "tool-call", toolCallId: "call_1", toolName: "read", input: '{"path":"a"}' },
    ]);
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: "tool-calls" } });
  });

  it("sends a string as it is, so that it can be broken JSON", async () => {
    const { parts } = await play(reply.toolCall("read", '{"path": '));
    expect(parts.find((part) => part.type === "tool-call")).toMatchObject({ input: '{"path": ' });
  });

  it("has {} as arguments when none are given", async () => {
    const { parts } = await play(reply.toolCall("list"));
    expect(parts.find((part) => part.type === "tool-call")).toMatchObject({ input: "{}" });
  });

  it("numbers the calls over the whole model", async () => {
    const model = scriptedModel([[reply.toolCall("a"), reply.toolCall("b")], [reply.toolCall("c", {}, { id: "own" }), reply.toolCall("d")]]);
    const ids: string[] = [];
    for (let call = 0; call < 2; call += 1) {
      const { parts } = await readAll((await model.doStream(ask())).stream);
      ids.push(...parts.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])));
    }
    expect(ids).toEqual(["call_1", "call_2", "own", "call_3"]);
  });

  it("with a result is the provider's own affair, and the call finishes with stop", async () => {
    const { parts } = await play([reply.toolCall("web_search", { query: "x" }, { result: { hits: 1 } }), reply.text("One hit.")]);
    expect(parts.find((part) => part.type === "tool-call")).toMatchObject({ providerExecuted: true });
    expect(parts.find((part) => part.type === "tool-result")).toEqual({
      type: "tool-result",
      toolCallId: "call_1",
      toolName: "web_search",
      result: { hits: 1 },
    });
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: "stop" } });
  });
});

describe("reply.file and reply.source", () => {
  it("are single parts", async () => {
    const { parts } = await play([
      reply.file("image/png", "aGk="),
      reply.file("image/png", "aGk=", { reasoning: true }),
      reply.source("https://example.com", { title: "Example" }),
    ]);
    expect(parts.slice(1, -1)).toEqual([
      { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
      { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
      { type: "source", sourceType: "url", id: "https://example.com", url: "https://example.com", title: "Example" },
    ]);
  });
});

describe("finish and usage", () => {
  it("are the last ones stated", async () => {
    const { parts } = await play([
      reply.text("cut", { finish: "stop", usage: { input: 1 } }),
      reply.finish("length"),
      reply.usage({ input: 10, output: 4, reasoning: 2, cache: { read: 30, write: 5 } }),
    ]);
    expect(parts.at(-1)).toEqual({
      type: "finish",
      finishReason: { unified: "length", raw: "length" },
      usage: {
        inputTokens: { total: 45, noCache: 10, cacheRead: 30, cacheWrite: 5 },
        outputTokens: { total: 6, text: 4, reasoning: 2 },
      },
    });
  });

  it("take the AI SDK's own forms, for odd values", async () => {
    const usage = {
      inputTokens: { total: Number.NaN, noCache: undefined, cacheRead: -1, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: 7 },
    };
    const { parts } = await play(reply.finish({ unified: "other", raw: "pause_turn" }, usage));
    expect(parts.at(-1)).toEqual({ type: "finish", finishReason: { unified: "other", raw: "pause_turn" }, usage });
  });

  it("come from the model's default usage, else from the lengths of the texts", async () => {
    const stated = await play(reply.text("hi"), { usage: { input: 3, output: 1 } });
    expect(stated.parts.at(-1)).toMatchObject({ usage: { inputTokens: { total: 3 }, outputTokens: { total: 1 } } });
    const estimated = await play([reply.reasoning("12345678"), reply.text("123456789")]);
    expect(estimated.parts.at(-1)).toMatchObject({ usage: { outputTokens: { total: 5, text: 3, reasoning: 2 } } });
  });

  it("do not take a picture for a long text", async () => {
    const model = scriptedModel([reply.text("ok")]);
    const picture = { type: "file" as const, mediaType: "image/png", data: { type: "data" as const, data: "A".repeat(100_000) } };
    const { parts } = await readAll((await model.doStream({ prompt: [{ role: "user", content: [picture] }] })).stream);
    const finish = parts.find((part) => part.type === "finish");
    expect(finish?.usage.inputTokens.total).toBeLessThan(100);
  });
});

describe("reply.error", () => {
  const failure = new Error("overloaded");

  it("alone makes the call fail", async () => {
    await expect(scriptedModel([reply.error(failure)]).doStream(ask())).rejects.toBe(failure);
    await expect(scriptedModel([reply.error(failure)]).doGenerate(ask())).rejects.toBe(failure);
  });

  it("after other pieces breaks the stream", async () => {
    const { parts, error } = await play([reply.text("hi"), reply.error(failure)]);
    expect(error).toBe(failure);
    expect(typesOf(parts)).toEqual(["stream-start", "text-start", "text-delta", "text-end"]);
  });

  it("breaks the stream from the start when it says so", async () => {
    const { parts, error } = await play(reply.error(failure, { inStream: "throw" }));
    expect(error).toBe(failure);
    expect(typesOf(parts)).toEqual(["stream-start"]);
  });

  it("breaks off in the middle of a block after a number of deltas", async () => {
    const { parts, error } = await play([reply.text("abcd", { chunks: 4 }), reply.error(failure, { afterChunks: 2 })]);
    expect(error).toBe(failure);
    expect(deltasOf(parts)).toEqual(["a", "b"]);
    expect(typesOf(parts)).not.toContain("text-end");
  });

  it("as a part lets the reply go on", async () => {
    const { parts, error } = await play([reply.text("a"), reply.error(failure, { inStream: "part" }), reply.text("b")]);
    expect(error).toBeUndefined();
    expect(deltasOf(parts)).toEqual(["a", "b"]);
    expect(parts).toContainEqual({ type: "error", error: failure });
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "error" } });
  });
});

describe("reply.cut", () => {
  it("ends the stream without a finish", async () => {
    const { parts, error } = await play([reply.toolCall("write", { path: "a" }, { chunks: 2 }), reply.cut({ afterChunks: 1 })]);
    expect(error).toBeUndefined();
    expect(typesOf(parts)).toEqual(["stream-start", "tool-input-start", "tool-input-delta"]);
  });
});

describe("reply.chunks", () => {
  const delta: LanguageModelV4StreamPart = { type: "text-delta", id: "0", delta: "x" };

  it("sends the parts as they are, with a start and a finish when they are missing", async () => {
    expect(typesOf((await play(reply.chunks([delta]))).parts)).toEqual(["stream-start", "text-delta", "finish"]);
  });

  it("adds nothing that is there already", async () => {
    const own: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [{ type: "other", message: "w" }] }, delta];
    expect((await play([reply.chunks(own), reply.finish("length")])).parts.slice(0, 2)).toEqual(own);
  });

  it("exact: sends nothing else", async () => {
    expect((await play(reply.chunks([delta], { exact: true }))).parts).toEqual([delta]);
    expect((await play(reply.chunks([], { exact: true }))).parts).toEqual([]);
  });
});
