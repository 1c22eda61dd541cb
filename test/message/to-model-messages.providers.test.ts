import type { LanguageModelV4, SharedV4Warning } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WithParts } from "../../src/message/message.ts";
import { markCache } from "../../src/message/mark-cache.ts";
import { profileFor } from "../../src/message/profile-for.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { anyHistory } from "./projection-arbitraries.ts";
import { assistant, attachment, completed, file, pdf, png, reasoning, text, tool, user } from "./projection-samples.ts";
import { list, providerPackages, send, type Json, type ProviderPackage, type Sent } from "./provider-wires.ts";

const base64 = "iVBORw0KGgo=";

async function bodyOf(model: LanguageModelV4, history: readonly WithParts[]): Promise<Json> {
  return (await send(model, toModelMessages(history, model))).body;
}

/** Metadata in the providers' own forms: the packages check it, and it never comes from elsewhere. */
const metadata = {
  anthropic: { signature: "s" },
  bedrock: { signature: "s" },
  azure: { itemId: "item_1", reasoningEncryptedContent: "e" },
  openai: { itemId: "item_1", reasoningEncryptedContent: "e" },
  google: { thoughtSignature: "t", serverToolCallId: "server_1", serverToolType: "search" },
  xai: { itemId: "item_1", reasoningEncryptedContent: "e" },
};

/** The history as this model would have made it: its messages carry the model's name, its parts fitting metadata. */
function ownHistory(history: readonly WithParts[], { provider, modelId }: LanguageModelV4): WithParts[] {
  const takesNamedToolsOnly = /anthropic/i.test(provider);
  return history.map(({ info, parts }, index) => {
    const isForeign = index % 3 === 2;
    const owned = parts.map((part) => {
      if (part.type !== "tool") return "metadata" in part && part.metadata !== undefined ? { ...part, metadata } : part;
      // Anthropic's package leaves out calls of provider tools that it does not know by name and form.
      if (takesNamedToolsOnly) return { ...part, metadata: undefined, providerExecuted: undefined };
      const fitting = part.providerExecuted === true ? { metadata, resultMetadata: metadata } : { metadata: undefined };
      // A provider's own tools have results in forms that only the provider can make.
      return { ...part, ...fitting, tool: part.tool === "web_search" ? "search" : part.tool };
    });
    // The spreads keep each part of its kind.
    const message = { info, parts: owned as typeof parts };
    return info.role === "user" || isForeign ? message : { ...message, info: { ...info, providerID: provider, modelID: modelId } };
  });
}

/** What a package says of content that it does not send. That it makes up for a missing signature loses nothing. */
function losses(warnings: readonly SharedV4Warning[]): SharedV4Warning[] {
  return warnings.filter((warning) => !JSON.stringify(warning).includes("skip_thought_signature_validator"));
}

function expectAlternation(roles: readonly unknown[], alternation: ProviderPackage["alternation"]): void {
  const pairs = roles.slice(1).map((role, index) => `${String(roles[index])} ${String(role)}`);
  if (alternation === "strict") for (const pair of ["user user", "assistant assistant"]) expect(pairs).not.toContain(pair);
  if (alternation !== "free") expect(roles[0]).toBe("user");
  if (alternation === "after tools") expect(pairs).not.toContain("tool user");
}

function expectSound({ wireOf, alternation }: ProviderPackage, { body, warnings }: Sent): void {
  const { calls, results, texts, empty, roles } = wireOf(body);
  // By ids, not by places: some wires have results of several messages in one. Names stand for ids where a wire has none.
  expect([...results].sort()).toEqual([...calls].sort());
  expect(JSON.stringify(texts)).not.toContain(base64);
  expect(empty).toEqual([]);
  expectAlternation(roles, alternation);
  expect(losses(warnings)).toEqual([]);
}

const packages = Object.values(providerPackages);

it("there is a package for each profile", () => {
  expect([...new Set(packages.map(({ model }) => profileFor(model).name))].sort()).toEqual([
    "anthropic",
    "anthropicCloud",
    "bedrock",
    "bedrockUncached",
    "deepseek",
    "gemini3",
    "google",
    "groq",
    "mistral",
    "openaiChat",
    "openaiCompatible",
    "openaiCompatibleLenient",
    "openaiResponses",
    "xai",
  ]);
});

describe.each(packages)("$name", (providerPackage) => {
  const { model, wireOf } = providerPackage;

  it("takes any history: nothing refused, no call without its one result, no empty message, no base64 as text", async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (random) => {
        const history = ownHistory([user([text("start")]), ...random, user([text("end")])], model);
        expectSound(providerPackage, await send(model, toModelMessages(history, model)));
      }),
      { numRuns: 120 },
    );
  });

  it("takes the marks for its cache: at most four, and nothing else changes", async () => {
    const history = [user([text("hi")]), assistant([text("I look."), tool("call_a", completed("A"))]), user([text("thanks")], { id: "msg_next" })];
    const messages = toModelMessages(history, model);
    const plain = await send(model, [{ role: "system", content: "Be kind." }, ...messages]);
    const marked = await send(model, markCache([{ role: "system", content: "Be kind." }, ...messages], profileFor(model).cacheMark));
    const marks = JSON.stringify(marked.body).match(/"cache_control"|"cachePoint"/g) ?? [];
    expect(marks).toHaveLength(profileFor(model).cacheMark === undefined ? 0 : 3);
    expect(withoutMarks(marked.body)).toEqual(withoutMarks(plain.body));
    expect(marked.warnings).toEqual(plain.warnings);
  });

  it("shows the medium of a tool result exactly once, to be seen and not to be read", async () => {
    const state = completed("a chart", { attachments: [attachment("image/png", png, "chart.png")] });
    const body = await bodyOf(model, [user([text("hi")]), assistant([tool("call_a", state)])]);
    const isBlind = profileFor(model).userMedia.inline.length === 0;
    expect(JSON.stringify(body).split(base64)).toHaveLength(isBlind ? 1 : 2);
    expect(JSON.stringify(wireOf(body).texts)).toContain("a chart");
  });

  it("takes a URL or a file of the user, or its description", async () => {
    const parts = [file("image/png", "https://example.com/a.png"), file("application/pdf", "https://example.com/a.pdf"), file("application/pdf", pdf), file("audio/wav", "data:audio/wav;base64,AA==")];
    expectSound(providerPackage, await send(model, toModelMessages([user([text("hi"), ...parts])], model)));
  });
});

/** A body without marks. Those of Bedrock are blocks of their own. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !(item as Json)["cachePoint"]).map(withoutMarks);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== "cache_control").map(([name, inner]) => [name, withoutMarks(inner)]));
}

describe("what came from a provider goes back to it", () => {
  const own = (model: LanguageModelV4, parts: Parameters<typeof assistant>[0], fields: object = {}) =>
    assistant(parts, { providerID: model.provider, modelID: model.modelId, ...fields });
  const hi = user([text("hi")]);

  it("anthropic: the signature before its call", async () => {
    const model = providerPackages.anthropic.model;
    const body = await bodyOf(model, [hi, own(model, [reasoning("hm", "sig_1"), text("I look."), tool("toolu_1", completed("A"))])]);
    expect(list(body["messages"])[1]).toMatchObject({
      role: "assistant",
      content: [{ type: "thinking", thinking: "hm", signature: "sig_1" }, { type: "text", text: "I look." }, { type: "tool_use", id: "toolu_1" }],
    });
  });

  it("openai: stored items by id, and the answer to an approval request right behind its request", async () => {
    const model = providerPackages.openaiResponses.model;
    const approval = { id: "mcpr_1", approved: true };
    const body = await bodyOf(model, [hi, own(model, [tool("local_id", completed("Approved."), { tool: "mcp.create", providerExecuted: true, approval })])]);
    expect(list(body["input"]).slice(1)).toEqual([
      { type: "item_reference", id: "mcpr_1" },
      { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
    ]);
  });

  it("openai: what the approved call gave is asked for by its item's id", async () => {
    const model = providerPackages.openaiResponses.model;
    const approval = { id: "mcpr_1", approved: true };
    const result = completed("", { modelOutput: { type: "json", value: { type: "call", output: "ok" } } });
    const body = await bodyOf(model, [
      hi,
      own(model, [tool("local_id", completed("Approved."), { tool: "mcp.create", providerExecuted: true, approval })], { id: "msg_1" }),
      own(model, [tool("mcp_1", result, { tool: "mcp.create", providerExecuted: true, resultMetadata: { openai: { itemId: "mcp_1" } } }), text("done")], { id: "msg_2" }),
      user([text("thanks")], { id: "msg_3" }),
    ]);
    expect(list(body["input"]).slice(1)).toMatchObject([
      { type: "item_reference", id: "mcpr_1" },
      { type: "mcp_approval_response" },
      { type: "item_reference", id: "mcp_1" },
      { role: "assistant" },
      { role: "user" },
    ]);
  });

  it("google: the signature on the call that had it, and on no other", async () => {
    const model = providerPackages.gemini3.model;
    const signed = tool("a", completed("A"), { metadata: { google: { thoughtSignature: "t1" } } });
    const body = await bodyOf(model, [hi, own(model, [signed, tool("b", completed("B"))])]);
    const parts = list(list(body["contents"])[1]?.["parts"]);
    expect(parts.map((part) => part["thoughtSignature"])).toEqual(["t1", undefined]);
  });

  it("openai-compatible: reasoning of a tool turn", async () => {
    const model = providerPackages.compatible.model;
    const body = await bodyOf(model, [hi, own(model, [reasoning("hm"), tool("call_a", completed("A"))])]);
    expect(list(body["messages"])[1]).toMatchObject({ reasoning_content: "hm" });
  });

  it.each([providerPackages.deepseek, providerPackages.deepseekChat])("$name: reasoning of a tool turn, and none made up where the wire needs the field", async ({ model }) => {
    const foreign = assistant([text("Hello.")], { id: "msg_foreign" });
    const body = await bodyOf(model, [hi, foreign, user([text("look")], { id: "msg_next" }), own(model, [reasoning("hm"), tool("call_a", completed("A"))])]);
    const said = list(body["messages"]).filter(({ role }) => role === "assistant");
    expect(said[1]).toMatchObject({ reasoning_content: "hm" });
    expect(said[0]?.["reasoning_content"] ?? "").toBe("");
  });

  it("bedrock: the signature of reasoning before its call", async () => {
    const { model } = providerPackages.bedrock;
    const thought = { type: "reasoning" as const, text: "hm", time: { start: 0 }, metadata: { bedrock: { signature: "sig_1" } } };
    const body = await bodyOf(model, [hi, own(model, [thought, tool("tooluse_1", completed("A"))])]);
    expect(list(body["messages"])[1]).toMatchObject({ content: [{ reasoningContent: { reasoningText: { text: "hm", signature: "sig_1" } } }, { toolUse: { toolUseId: "tooluse_1" } }] });
  });

  it("deepseek: texts that its package joins do not run into each other", async () => {
    const body = await bodyOf(providerPackages.deepseek.model, [hi, user([text("and now?")], { id: "msg_next" })]);
    expect(list(body["messages"])[0]).toMatchObject({ content: "hi\n\nand now?" });
  });
});
