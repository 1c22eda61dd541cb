import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { MessageErrorCode } from "throughline";
import { finishFailure } from "../../src/model/finish-failure.ts";

describe("finishFailure", () => {
  it.each<[LanguageModelV4FinishReason["unified"], string | undefined, MessageErrorCode | undefined]>([
    ["stop", "end_turn", undefined],
    ["length", "max_tokens", undefined],
    ["tool-calls", "tool_use", undefined],
    ["other", undefined, undefined],
    ["length", "model_context_window_exceeded", "overflow"], // Anthropic
    ["other", "model_context_window_exceeded", "overflow"], // z.ai
    ["other", "insufficient_system_resource", "overloaded"], // DeepSeek
    ["other", "network_error", "overloaded"], // z.ai
    ["other", "sensitive", "content-filter"], // z.ai
    ["content-filter", "refusal", "content-filter"], // Anthropic
    ["error", "MALFORMED_FUNCTION_CALL", "unknown"], // Google
    ["interrupted", undefined, "truncated-stream"],
    ["other", "constructor", undefined],
  ])("%s (%s) is %s", (unified, raw, code) => {
    expect(finishFailure({ unified, raw })?.code).toBe(code);
  });
});
