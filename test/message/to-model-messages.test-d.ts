import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { LanguageModel, ModelMessage as AIModelMessage } from "ai";
import { expectTypeOf, test } from "vitest";
import type { WithParts } from "../../src/message/message.ts";
import type { ModelMessage } from "../../src/message/model-prompt.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { createProjection } from "../../src/message/projection.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";

declare const history: WithParts[];
declare const model: Exclude<LanguageModel, string>;

test("the messages fit into a provider's prompt and into the calls of `ai`, without a cast", () => {
  const messages = toModelMessages(history, model);
  expectTypeOf(messages).toExtend<LanguageModelV4Prompt>();
  expectTypeOf(messages).toExtend<AIModelMessage[]>();
  expectTypeOf(createProjection(model).request()).toEqualTypeOf<ModelMessage[]>();
});

test("the arrays are mutable", () => {
  expectTypeOf(toModelMessages(history, model)).toEqualTypeOf<ModelMessage[]>();
  expectTypeOf<readonly ModelMessage[]>().not.toExtend<LanguageModelV4Prompt>();
});

test("a target is a profile, a stored reference or a model object", () => {
  toModelMessages(history, modelProfiles.anthropic, { model: { providerID: "anthropic.messages", modelID: "claude" } });
  toModelMessages(history, { providerID: "anthropic.messages", modelID: "claude" });
  toModelMessages(Object.freeze([...history]), { provider: "anthropic.messages", modelId: "claude" }, { stripMedia: true });
  // @ts-expect-error a model id alone does not say whose it is
  toModelMessages(history, "claude");
});

test("system text is no part of it", () => {
  expectTypeOf<ModelMessage["role"]>().toEqualTypeOf<"user" | "assistant" | "tool">();
});
