import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { createAgent, defineTool, type ToolContext } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";

it("gives a model and a tool options that may be copied with a spread, signal and messages included", async () => {
  const scripted = scriptedModel([reply.toolCall("look", {}), reply.text("Done.")]);
  const calls: LanguageModelV4CallOptions[] = [];
  const model = Object.assign(Object.create(scripted) as typeof scripted, {
    doStream: (options: LanguageModelV4CallOptions) => {
      const copy = { ...options };
      calls.push(copy);
      return scripted.doStream(copy);
    },
  });
  const contexts: ToolContext[] = [];
  const look = defineTool({
    description: "Looks.",
    input: z.object({}),
    execute(_input, context) {
      contexts.push({ ...context });
      return "seen";
    },
  });
  await (await createAgent({ model, tools: { look } }).session()).prompt("Look.");
  expect(calls.map(({ abortSignal }) => abortSignal)).toEqual([expect.any(AbortSignal), expect.any(AbortSignal)]);
  expect(contexts[0]?.abortSignal).toBeInstanceOf(AbortSignal);
  expect(contexts[0]?.messages.map(({ role }) => role)).toEqual(["user"]);
});

it("gives a tool a context that may be wrapped", async () => {
  const seen: unknown[] = [];
  const wrap = defineTool({
    description: "Wraps its context.",
    input: z.object({}),
    execute(_input, context) {
      const inherited = Object.create(context) as ToolContext;
      for (const wrapped of [new Proxy(context, {}), inherited]) seen.push(wrapped.abortSignal.aborted, wrapped.messages.length);
      return "wrapped";
    },
  });
  const model = scriptedModel([reply.toolCall("wrap", {}), reply.text("Done.")]);
  await (await createAgent({ model, tools: { wrap } }).session()).prompt("Wrap.");
  expect(seen).toEqual([false, 1, false, 1]);
});

it("gives a model options whose signal may be replaced", async () => {
  const scripted = scriptedModel([reply.text("Done.")]);
  const model = Object.assign(Object.create(scripted) as typeof scripted, {
    doStream: (options: LanguageModelV4CallOptions) => {
      if (options.abortSignal !== undefined) options.abortSignal = AbortSignal.any([options.abortSignal]);
      return scripted.doStream(options);
    },
  });
  expect(await (await createAgent({ model }).session()).prompt("Hi").settled).toMatchObject({ outcome: "answered" });
});
