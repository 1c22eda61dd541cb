import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { FindingRule } from "../../src/message/finding.ts";
import type { ModelProfile } from "../../src/message/model-profile.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";

type Content<R> = Extract<LanguageModelV4Message, { role: R }>["content"];

const { default: strict, anthropic, openaiChat, openaiResponses, mistral } = modelProfiles;

const say = (...content: Content<"user">): LanguageModelV4Message => ({ role: "user", content });
const answer = (...content: Content<"assistant">): LanguageModelV4Message => ({ role: "assistant", content });
const results = (...content: Content<"tool">): LanguageModelV4Message => ({ role: "tool", content });
const text = (value: string) => ({ type: "text" as const, text: value });
const call = (toolCallId: string, fields: object = {}) => ({ type: "tool-call" as const, toolCallId, toolName: "read", input: {}, ...fields });
const result = (toolCallId: string, fields: object = {}) => ({
  type: "tool-result" as const,
  toolCallId,
  toolName: "read",
  output: { type: "text" as const, value: "ok" },
  ...fields,
});
const image = (mediaType: string) => ({ type: "file" as const, mediaType, data: { type: "data" as const, data: "AA==" } });
const ask = say(text("hi"));

const valid: LanguageModelV4Message[] = [
  ask,
  answer(text("I look."), call("a"), call("b")),
  results(result("a"), result("b")),
  answer(text("done")),
  say(text("thanks"), image("image/png")),
];

/** One request a rule refuses, by the profile that has the rule. Everything else in it is right. */
const invalid: [FindingRule, ModelProfile, LanguageModelV4Message[]][] = [
  ["empty-request", strict, []],
  ["system-message", strict, [ask, answer(text("a")), { role: "system", content: "be good" }, ask]],
  ["empty-message", openaiChat, [ask, say()]],
  ["first-message", strict, [answer(text("hello")), ask]],
  ["last-message", strict, [ask, answer(text("half"))]],
  ["alternation", strict, [ask, ask]],
  ["alternation", strict, [ask, answer(text("a")), answer(text("b")), ask]],
  ["user-after-tool-result", mistral, [ask, answer(call("abcdefghi")), results(result("abcdefghi")), ask]],
  ["tool-message-place", strict, [ask, answer(call("a")), results(result("a")), results(result("a"))]],
  ["call-without-result", strict, [ask, answer(call("a"), call("b")), results(result("a"))]],
  ["call-without-result", strict, [ask, answer(call("a")), ask, answer(text("b")), ask]],
  ["result-without-call", strict, [ask, answer(call("a")), results(result("a"), result("b"))]],
  ["result-without-call", anthropic, [ask, answer(result("a"), text("b")), ask]],
  ["repeated-result", strict, [ask, answer(call("a")), results(result("a"), result("a"))]],
  ["result-order", strict, [ask, answer(call("a"), call("b")), results(result("b"), result("a"))]],
  ["result-name", strict, [ask, answer(call("a")), results(result("a", { toolName: "write" }))]],
  ["calls-last", strict, [ask, answer(call("a"), text("meanwhile")), results(result("a"))]],
  ["calls-last", anthropic, [ask, answer(call("a"), { type: "custom", kind: "a.b", providerOptions: {} }), results(result("a"))]],
  ["call-id", mistral, [ask, answer(call("call_1")), results(result("call_1"))]],
  ["call-id", strict, [ask, answer(call("a.b")), results(result("a.b"))]],
  ["repeated-call-id", strict, [ask, answer(call("a")), results(result("a")), answer(call("a")), results(result("a"))]],
  ["call-input", strict, [ask, answer(call("a", { input: "{}" })), results(result("a"))]],
  ["call-input", openaiResponses, [ask, answer(call("a", { input: [] })), results(result("a"))]],
  ["tool-name", strict, [ask, answer(call("a", { toolName: "read it" })), results(result("a", { toolName: "read it" }))]],
  ["provider-tool", strict, [ask, answer(call("a", { providerExecuted: true }), result("a")), ask]],
  ["provider-tool", modelProfiles.google, [ask, answer(call("a", { providerExecuted: true }), text("b")), ask]],
  ["approval-without-call", openaiResponses, [ask, answer(text("a")), results({ type: "tool-approval-response", approvalId: "x", approved: true })]],
  ["blank-text", strict, [say(text(" \n"))]],
  ["blank-text", openaiResponses, [say(text(""))]],
  ["blank-text", anthropic, [ask, answer(call("a")), results(result("a", { output: { type: "content", value: [text(""), image("image/png")] } }))]],
  ["empty-output", strict, [ask, answer(call("a")), results(result("a", { output: { type: "error-text", value: " " } }))]],
  ["empty-output", strict, [ask, answer(call("a")), results(result("a", { output: { type: "content", value: [] } }))]],
  ["ill-formed-text", strict, [say(text("a\uD83D"))]],
  ["ill-formed-text", strict, [ask, answer(call("a", { input: { "\uDE00": 1 } })), results(result("a"))]],
  ["media", strict, [say(image("application/zip"))]],
  ["media", strict, [say({ type: "file", mediaType: "image/png", data: { type: "url", url: new URL("https://example.com/a.png") } })]],
  ["media", strict, [ask, answer(call("a")), results(result("a", { output: { type: "content", value: [image("image/png")] } }))]],
  ["media", strict, [ask, answer(image("image/png")), ask]],
  ["media", strict, [say({ type: "file", mediaType: "image/png", data: { type: "data", data: "" } })]],
  ["reasoning", anthropic, [ask, answer({ type: "reasoning", text: "hm" }, text("a")), ask]],
  ["reasoning", openaiChat, [ask, answer({ type: "reasoning", text: "hm" }, text("a")), ask]],
  ["reasoning-last", strict, [ask, answer(text("a"), { type: "reasoning", text: "hm" }), ask]],
  ["custom-part", strict, [ask, answer({ type: "custom", kind: "a.b" }, text("a")), ask]],
  [
    "custom-part",
    strict,
    [ask, answer(call("a")), results(result("a", { output: { type: "content", value: [text("a"), { type: "custom" }] } }))],
  ],
];

describe("validateModelMessages", () => {
  it("finds nothing in a valid request", () => {
    expect(validateModelMessages(valid, strict)).toEqual([]);
  });

  it.each(invalid)("finds %s", (rule, profile, messages) => {
    const findings = validateModelMessages(messages, profile);
    expect(findings.map((finding) => finding.rule)).toContain(rule);
    for (const { index, message } of findings) {
      expect(index).toBeLessThan(Math.max(1, messages.length));
      expect(message).toMatch(/\w.*\.$/);
    }
  });

  it("has an invalid request for each of its rules", () => {
    const covered = new Set(invalid.map(([rule]) => rule));
    expect([...covered].sort()).toEqual([
      "alternation",
      "approval-without-call",
      "blank-text",
      "call-id",
      "call-input",
      "call-without-result",
      "calls-last",
      "custom-part",
      "empty-message",
      "empty-output",
      "empty-request",
      "first-message",
      "ill-formed-text",
      "last-message",
      "media",
      "provider-tool",
      "reasoning",
      "reasoning-last",
      "repeated-call-id",
      "repeated-result",
      "result-name",
      "result-order",
      "result-without-call",
      "system-message",
      "tool-message-place",
      "tool-name",
      "user-after-tool-result",
    ] satisfies FindingRule[]);
  });

  it("names the message that is wrong", () => {
    expect(validateModelMessages([ask, answer(call("a")), ask], openaiChat)).toMatchObject([{ rule: "call-without-result", index: 1 }]);
  });

  it("allows what a provider's own calls may do", () => {
    const own = [
      ask,
      answer(call("a", { providerExecuted: true }), call("b")),
      results(result("b")),
      answer(result("a"), text("done")),
      ask,
    ];
    expect(validateModelMessages(own, anthropic)).toEqual([]);
    const approval = [ask, answer(call("a", { providerExecuted: true })), results({ type: "tool-approval-response", approvalId: "x", approved: true })];
    expect(validateModelMessages(approval, openaiResponses)).toEqual([]);
  });

  it("allows signed reasoning between calls", () => {
    const signed = { type: "reasoning" as const, text: "hm", providerOptions: { anthropic: { signature: "s" } } };
    expect(validateModelMessages([ask, answer(call("a"), signed, call("b")), results(result("a"), result("b"))], anthropic)).toEqual([]);
  });
});
