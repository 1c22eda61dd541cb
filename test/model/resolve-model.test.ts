import { afterEach, describe, expect, it } from "vitest";
import type { LanguageModelV2, LanguageModelV2StreamPart, LanguageModelV3, LanguageModelV3StreamPart, LanguageModelV4 } from "@ai-sdk/provider";
import { MockLanguageModelV3 } from "ai/test";
import { createAgent, type LanguageModel } from "throughline";
import { reply, scriptedModel } from "throughline/testing";

// The AI SDK's own convention for a default provider. `ai` declares the global with its union of providers.
const global = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
const before = global.AI_SDK_DEFAULT_PROVIDER;

afterEach(() => {
  if (before === undefined) delete global.AI_SDK_DEFAULT_PROVIDER;
  else global.AI_SDK_DEFAULT_PROVIDER = before;
});

async function ask(model: LanguageModel): Promise<unknown> {
  const session = await createAgent({ model }).session();
  const { outcome, text, tokens, messages } = await session.prompt("Hi");
  await session.close();
  return { outcome, text, tokens, model: [messages[0]?.info.providerID, messages[0]?.info.modelID], finish: messages[0]?.info.finish };
}

const text = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Hello!" },
  { type: "text-end", id: "1" },
] as const satisfies LanguageModelV2StreamPart[];

function streamOf<T>(parts: readonly T[]): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

function modelV3(): LanguageModelV3 {
  const usage = { inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 2, text: 2, reasoning: 0 } };
  const finish: LanguageModelV3StreamPart = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage };
  return new MockLanguageModelV3({ provider: "old", modelId: "three", doStream: async () => ({ stream: streamOf<LanguageModelV3StreamPart>([...text, finish]) }) });
}

const answer = (model: [string, string]) => ({
  outcome: "answered",
  text: "Hello!",
  tokens: { input: 3, output: 2, reasoning: 0, cache: { read: 0, write: 0 } },
  model,
  finish: "stop",
});

describe("a language model", () => {
  it("of specification V4 is used as it is", async () => {
    const model: LanguageModelV4 = scriptedModel([reply.text("Hello!", { usage: { input: 3, output: 2 } })]);
    expect(await ask(model)).toEqual(answer(["scripted", "scripted-model"]));
  });

  it("of specification V3 goes through the AI SDK's adapter", async () => {
    expect(await ask(modelV3())).toEqual(answer(["old", "three"]));
  });

  it("of specification V2 goes through the AI SDK's adapter", async () => {
    const model: LanguageModelV2 = {
      specificationVersion: "v2",
      provider: "old",
      modelId: "two",
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error("The engine only streams.")),
      doStream: async () => ({
        stream: streamOf<LanguageModelV2StreamPart>([...text, { type: "finish", finishReason: "stop", usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } }]),
      }),
    };
    expect(await ask(model)).toEqual(answer(["old", "two"]));
  });

  it("may be an id: the AI SDK's default provider knows it", async () => {
    const asked: string[] = [];
    global.AI_SDK_DEFAULT_PROVIDER = {
      specificationVersion: "v4",
      languageModel: (id: string) => {
        asked.push(id);
        return scriptedModel([reply.text("Hello!", { usage: { input: 3, output: 2 } })], { provider: "acme", modelId: id });
      },
    };
    expect(await ask("acme/model-1")).toEqual(answer(["acme", "acme/model-1"]));
    expect(asked).toEqual(["acme/model-1"]);
  });

  it("may be an id that a provider of an older specification knows", async () => {
    global.AI_SDK_DEFAULT_PROVIDER = { specificationVersion: "v3", languageModel: () => modelV3() };
    expect(await ask("three")).toEqual(answer(["old", "three"]));
  });

  it("whose id nobody knows makes the turn an error, and the session stays usable", async () => {
    global.AI_SDK_DEFAULT_PROVIDER = {
      specificationVersion: "v4",
      languageModel: (id: string) => {
        throw new Error(`No model "${id}".`);
      },
    };
    const session = await createAgent({ model: "acme/none" }).session();
    expect(await session.prompt("Hi").settled).toMatchObject({ outcome: "error", error: { message: 'No model "acme/none".' } });
    expect(session.status).toEqual({ type: "idle" });
    await session.close();
  });
});
