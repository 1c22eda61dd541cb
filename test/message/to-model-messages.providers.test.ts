import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGroq } from "@ai-sdk/groq";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createXai } from "@ai-sdk/xai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WithParts } from "../../src/message/message.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { anyHistory } from "./projection-arbitraries.ts";
import { assistant, attachment, completed, file, pdf, png, reasoning, text, tool, user } from "./projection-samples.ts";

type Json = Record<string, unknown>;

/** Thrown instead of a network call, with what would have been sent. */
class Captured extends Error {
  readonly body: Json;

  constructor(body: Json) {
    super("captured");
    this.body = body;
  }
}

const settings = {
  apiKey: "none",
  fetch: (_url: unknown, init?: RequestInit): Promise<Response> => Promise.reject(new Captured(JSON.parse(init?.body as string) as Json)),
};

/** The body that a real provider package makes of a history. Fails when the package refuses the messages. */
async function bodyOf(model: LanguageModelV4, history: readonly WithParts[]): Promise<Json> {
  try {
    await model.doStream({ prompt: toModelMessages(history, model) });
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Captured) return cause.body;
    throw error;
  }
  throw new Error("No request was made.");
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const base64 = "iVBORw0KGgo=";

interface Wire {
  calls: unknown[];
  results: unknown[];
  /** Texts of results. */
  texts: unknown[];
  /** Messages without content. */
  empty: Json[];
}

function chatWire(body: Json): Wire {
  const messages = list(body["messages"]);
  const results = messages.filter(({ role }) => role === "tool");
  return {
    calls: messages.flatMap((message) => list(message["tool_calls"]).map(({ id }) => id)),
    results: results.map((message) => message["tool_call_id"]),
    texts: results.map(({ content }) => content),
    empty: messages.filter(({ content, tool_calls: calls }) => calls === undefined && (content === "" || content === null)),
  };
}

function responsesWire(body: Json): Wire {
  const items = list(body["input"]);
  const results = items.filter(({ type }) => type === "function_call_output");
  return {
    calls: items.filter(({ type }) => type === "function_call").map((item) => item["call_id"]),
    results: results.map((item) => item["call_id"]),
    texts: results.flatMap(({ output }) => (typeof output === "string" ? [output] : list(output).map((item) => item["text"]))),
    empty: items.filter(({ role, content }) => role !== undefined && (content === "" || list(content).length === 0) && typeof content !== "string"),
  };
}

function anthropicWire(body: Json): Wire {
  const messages = list(body["messages"]);
  const blocks = messages.flatMap(({ content }) => list(content));
  const results = blocks.filter(({ type }) => type === "tool_result");
  return {
    calls: blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id),
    results: results.map((block) => block["tool_use_id"]),
    texts: results.flatMap(({ content }) => (typeof content === "string" ? [content] : list(content).map((item) => item["text"]))),
    empty: messages.filter(({ content }) => list(content).length === 0),
  };
}

function googleWire(body: Json): Wire {
  const contents = list(body["contents"]);
  const parts = contents.flatMap((content) => list(content["parts"]));
  const nameOf = (part: unknown): unknown => (part as Json)["name"];
  return {
    calls: parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [nameOf(functionCall)])),
    results: parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [nameOf(functionResponse)])),
    texts: parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [JSON.stringify((functionResponse as Json)["response"])])),
    empty: contents.filter((content) => list(content["parts"]).length === 0),
  };
}

const openai = createOpenAI(settings);
const compatible = createOpenAICompatible({ ...settings, name: "local", baseURL: "http://localhost" });
const google = createGoogleGenerativeAI(settings);

const packages: [string, LanguageModelV4, (body: Json) => Wire][] = [
  ["anthropic", createAnthropic(settings)("claude-sonnet-4-5"), anthropicWire],
  ["openai responses", openai.responses("gpt-5"), responsesWire],
  ["openai chat", openai.chat("gpt-4.1"), chatWire],
  ["openai-compatible", compatible("qwen3"), chatWire],
  ["gemini 2.5", google("gemini-2.5-pro"), googleWire],
  ["gemini 3", google("gemini-3-pro-preview"), googleWire],
  ["mistral", createMistral(settings)("mistral-large-latest"), chatWire],
  ["groq", createGroq(settings)("openai/gpt-oss-120b"), chatWire],
  ["xai", createXai(settings)("grok-4"), responsesWire],
];

/** Metadata in the providers' own forms: the packages check it, and it never comes from elsewhere. */
const metadata = {
  anthropic: { signature: "s" },
  openai: { itemId: "item_1", reasoningEncryptedContent: "e" },
  google: { thoughtSignature: "t", serverToolCallId: "server_1", serverToolType: "search" },
  xai: { itemId: "item_1", reasoningEncryptedContent: "e" },
};

/** The history as this model would have made it: its messages carry the model's name, its parts fitting metadata. */
function ownHistory(history: readonly WithParts[], { provider, modelId }: LanguageModelV4): WithParts[] {
  return history.map(({ info, parts }, index) => {
    const isForeign = index % 3 === 2;
    const owned = parts.map((part) => {
      if (part.type !== "tool") return "metadata" in part && part.metadata !== undefined ? { ...part, metadata } : part;
      const fitting = part.providerExecuted === true ? { metadata, resultMetadata: metadata } : { metadata: undefined };
      // A provider's own tools have results in forms that only the provider can make.
      return { ...part, ...fitting, tool: part.tool === "web_search" ? "search" : part.tool };
    });
    // The spreads keep each part of its kind.
    const message = { info, parts: owned as typeof parts };
    return info.role === "user" || isForeign ? message : { ...message, info: { ...info, providerID: provider, modelID: modelId } };
  });
}

const answers = (values: readonly unknown[]): unknown[] => [...values].sort();

describe.each(packages)("%s", (_name, model, wireOf) => {
  it("takes any history: nothing refused, no call without its result, no empty message, no base64 as text", async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (random) => {
        const history = ownHistory([user([text("start")]), ...random, user([text("end")])], model);
        const { calls, results, texts, empty } = wireOf(await bodyOf(model, history));
        expect(answers(results)).toEqual(answers(calls));
        expect(JSON.stringify(texts)).not.toContain(base64);
        expect(empty).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });

  it("shows the medium of a tool result exactly once, to be seen and not to be read", async () => {
    const state = completed("a chart", { attachments: [attachment("image/png", png, "chart.png")] });
    const body = await bodyOf(model, [user([text("hi")]), assistant([tool("call_a", state)])]);
    expect(JSON.stringify(body).split(base64)).toHaveLength(2);
    expect(JSON.stringify(wireOf(body).texts)).toContain("a chart");
  });

  it("takes a URL or a file of the user, or its description", async () => {
    const parts = [file("image/png", "https://example.com/a.png"), file("application/pdf", "https://example.com/a.pdf"), file("application/pdf", pdf), file("audio/wav", "data:audio/wav;base64,AA==")];
    await expect(bodyOf(model, [user([text("hi"), ...parts])])).resolves.toBeDefined();
  });
});

describe("what came from a provider goes back to it", () => {
  const own = (model: LanguageModelV4, parts: Parameters<typeof assistant>[0], fields: object = {}) =>
    assistant(parts, { providerID: model.provider, modelID: model.modelId, ...fields });
  const hi = user([text("hi")]);

  it("anthropic: the signature before its call", async () => {
    const model = createAnthropic(settings)("claude-sonnet-4-5");
    const body = await bodyOf(model, [hi, own(model, [reasoning("hm", "sig_1"), text("I look."), tool("toolu_1", completed("A"))])]);
    expect(list(body["messages"])[1]).toMatchObject({
      role: "assistant",
      content: [{ type: "thinking", thinking: "hm", signature: "sig_1" }, { type: "text", text: "I look." }, { type: "tool_use", id: "toolu_1" }],
    });
  });

  it("openai: stored items by id, and the answer to an approval request right behind its request", async () => {
    const model = openai.responses("gpt-5");
    const approval = { id: "mcpr_1", approved: true };
    const body = await bodyOf(model, [hi, own(model, [tool("local_id", completed("Approved."), { tool: "mcp.create", providerExecuted: true, approval })])]);
    expect(list(body["input"]).slice(1)).toEqual([
      { type: "item_reference", id: "mcpr_1" },
      { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
    ]);
  });

  it("openai: what the approved call gave is asked for by its item's id", async () => {
    const model = openai.responses("gpt-5");
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
    const model = google("gemini-3-pro-preview");
    const signed = tool("a", completed("A"), { metadata: { google: { thoughtSignature: "t1" } } });
    const body = await bodyOf(model, [hi, own(model, [signed, tool("b", completed("B"))])]);
    const parts = list(list(body["contents"])[1]?.["parts"]);
    expect(parts.map((part) => part["thoughtSignature"])).toEqual(["t1", undefined]);
  });

  it("openai-compatible: reasoning of a tool turn", async () => {
    const model = compatible("qwen3");
    const body = await bodyOf(model, [hi, own(model, [reasoning("hm"), tool("call_a", completed("A"))])]);
    expect(list(body["messages"])[1]).toMatchObject({ reasoning_content: "hm" });
  });
});
