import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { FindingRule } from "../../src/message/finding.ts";
import type { ModelProfile } from "../../src/message/model-profile.ts";
import { modelProfiles, type ModelProfileName } from "../../src/message/model-profiles.ts";
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
/** The first bytes of each format. */
const contents: Record<string, string> = { "image/png": "iVBORw0KGgo=", "image/jpeg": "/9j/4AAQ", "image/gif": "R0lGODlh", "application/pdf": "JVBERi0xLjQ=" };
const image = (mediaType: string, data = contents[mediaType] ?? "AA==") => ({ type: "file" as const, mediaType, data: { type: "data" as const, data } });
const linked = (mediaType: string) => ({ type: "file" as const, mediaType, data: { type: "url" as const, url: new URL("https://example.com/a") } });
const shown = (mediaType: string) => result("a", { output: { type: "content", value: [text("look"), image(mediaType)] } });
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
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
  ["empty-message", anthropic, [ask, answer({ type: "custom", kind: "anthropic.message_start" }), ask]],
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
  ["media-content", strict, [say(image("image/png", ""))]],
  ["media-content", strict, [say(image("image/png", "AA=="))]],
  ["media-content", anthropic, [say(image("image/jpeg", contents["image/png"]))]],
  ["media-content", anthropic, [say(image("application/pdf", "JVBERi0x%%%="))]],
  ["media-content", anthropic, [say(image("image/png", "iVBORw0KGgo"))]],
  ["media-size", strict, [say(image("image/png", `iVBORw0KGgo${"A".repeat(3_400_001)}`))]],
  ["media-size", strict, [say(...times(2, image("image/png", `iVBORw0KGgo${"A".repeat(1_800_001)}`)))]],
  ["media-count", strict, [say(...times(6, image("image/png")))]],
  ["media-count", modelProfiles.bedrock, [say(text("read"), ...times(6, image("application/pdf")))]],
  ["document-without-text", modelProfiles.bedrock, [say(image("application/pdf"))]],
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

const called = (id: string, ...content: Content<"assistant">): LanguageModelV4Message => answer(...content, call(id));
const signed = { type: "reasoning" as const, text: "hm", providerOptions: { anthropic: { signature: "s" } } };
const unsigned = { type: "reasoning" as const, text: "hm" };
const ranThere = answer(call("srv", { providerExecuted: true }), result("srv"), text("found"));

/** What each profile refuses: above all what another one takes. */
const refused: Record<ModelProfileName, [FindingRule, LanguageModelV4Message[]][]> = {
  default: [
    ["alternation", [ask, ask]],
    ["call-id", [ask, called("a".repeat(41)), results(result("a".repeat(41)))]],
    ["media", [say(image("application/pdf"))]],
    ["provider-tool", [ask, ranThere, ask]],
  ],
  anthropic: [
    ["reasoning", [ask, answer(unsigned, text("a")), ask]],
    ["calls-last", [ask, answer(call("a"), text("meanwhile")), results(result("a"))]],
    ["media-count", [say(...times(21, image("image/png")))]],
    ["blank-text", [ask, answer({ type: "text", text: "\n" }), ask]],
  ],
  anthropicCloud: [
    ["media", [say(linked("image/png"))]],
    ["reasoning", [ask, answer(unsigned, text("a")), ask]],
  ],
  openaiResponses: [
    ["call-id", [ask, called("a".repeat(65)), results(result("a".repeat(65)))]],
    ["reasoning", [ask, answer(unsigned, text("a")), ask]],
    ["reasoning-last", [ask, called("a"), results(result("a")), answer(text("a"), signed), ask]],
  ],
  openaiChat: [
    ["reasoning", [ask, answer(signed, text("a")), ask]],
    ["media", [say(linked("application/pdf"))]],
    ["media", [ask, called("a"), results(shown("image/png"))]],
    ["tool-name", [ask, answer(call("a", { toolName: "read.file" })), results(result("a", { toolName: "read.file" }))]],
  ],
  openaiCompatible: [
    ["alternation", [ask, ask]],
    ["media", [ask, called("a"), results(shown("image/png"))]],
    ["media", [say(image("application/pdf"))]],
  ],
  openaiCompatibleLenient: [
    ["media", [ask, called("a"), results(shown("image/png"))]],
    ["calls-last", [ask, answer(call("a"), text("meanwhile")), results(result("a"))]],
  ],
  google: [
    ["media", [ask, called("a"), results(shown("image/png"))]],
    ["media", [say(linked("image/png"))]],
    ["media", [say(image("image/gif"))]],
    ["provider-tool", [ask, answer(call("srv", { providerExecuted: true }), text("b")), ask]],
  ],
  gemini3: [
    ["media", [ask, called("a"), results(shown("image/gif"))]],
    ["custom-part", [ask, answer({ type: "custom", kind: "a.b" }, text("a")), ask]],
  ],
  mistral: [
    ["call-id", [ask, called("call_1234"), results(result("call_1234"))]],
    ["user-after-tool-result", [ask, called("abcdefghi"), results(result("abcdefghi")), ask]],
    ["media-count", [say(...times(9, image("image/png")))]],
  ],
  groq: [
    ["media", [say(image("application/pdf"))]],
    ["media-count", [say(...times(6, linked("image/png")))]],
  ],
  xai: [
    ["media", [say(image("application/pdf"))]],
    ["media", [say(image("image/gif"))]],
    ["media", [ask, called("a"), results(shown("application/pdf"))]],
    ["reasoning", [ask, answer(unsigned, text("a")), ask]],
  ],
  bedrock: [
    ["alternation", [ask, ask]],
    ["media", [say(linked("image/png"))]],
    ["document-without-text", [say(image("application/pdf"))]],
    ["reasoning", [ask, answer(unsigned, text("a")), ask]],
  ],
  bedrockUncached: [
    ["document-without-text", [say(image("application/pdf"))]],
    ["provider-tool", [ask, ranThere, ask]],
  ],
  deepseek: [
    ["media", [say(image("image/png"))]],
    ["alternation", [ask, ask]],
    ["last-message", [ask, answer(text("half"))]],
  ],
};

describe.each(Object.values(modelProfiles))("the profile $name", (profile) => {
  // The name of a profile is the one that it is looked up by.
  const own = refused[profile.name as ModelProfileName];

  it.each(own)("refuses %s, and for no other reason", (rule, messages) => {
    const rules = validateModelMessages(messages, profile).map((finding) => finding.rule);
    expect([...new Set(rules)]).toEqual([rule]);
  });

  it("takes a valid request", () => {
    const id = profile.name === "mistral" ? "abcdefghi" : "a";
    expect(validateModelMessages([ask, answer(text("I look."), call(id)), results(result(id)), answer(text("done")), say(text("thanks"))], profile)).toEqual([]);
  });
});

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
      "document-without-text",
      "empty-message",
      "empty-output",
      "empty-request",
      "first-message",
      "ill-formed-text",
      "last-message",
      "media",
      "media-content",
      "media-count",
      "media-size",
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
