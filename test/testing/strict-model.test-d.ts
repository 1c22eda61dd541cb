import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { LanguageModel } from "ai";
import { expectTypeOf, it } from "vitest";
import { type ModelRequest, type RequestViolation, reply, scriptedModel, strictModel } from "throughline/testing";

it("a scripted model is a model of the AI SDK", () => {
  expectTypeOf(scriptedModel([])).toExtend<LanguageModelV4>();
  expectTypeOf(scriptedModel([])).toExtend<LanguageModel>();
});

it("a strict model keeps the type of the model it wraps", () => {
  const model = strictModel(scriptedModel([]));
  expectTypeOf(model.requests).toEqualTypeOf<readonly ModelRequest[]>();
  expectTypeOf(model.assertDone).toEqualTypeOf<() => void>();
  expectTypeOf(model.violations).toEqualTypeOf<readonly RequestViolation[]>();
});

it("a script takes replies, lists of pieces and functions, and nothing else", () => {
  scriptedModel([reply.text("a"), [reply.text("b"), reply.toolCall("t")], () => reply.stall(), (_request, index) => [reply.text(`${index}`)]]);
  scriptedModel((request) => (request.prompt.length > 1 ? reply.text("a") : undefined));
  // @ts-expect-error a text alone is no reply
  scriptedModel(["a"]);
  // @ts-expect-error an unknown option
  reply.text("a", { chunk: 2 });
});
