import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAmazonBedrockAnthropic } from "@ai-sdk/amazon-bedrock/anthropic";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createAzure } from "@ai-sdk/azure";
import { createDeepSeek } from "@ai-sdk/deepseek";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGoogleVertex } from "@ai-sdk/google-vertex/edge";
import { createGoogleVertexAnthropic } from "@ai-sdk/google-vertex/anthropic";
import { createGroq } from "@ai-sdk/groq";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4, LanguageModelV4FunctionTool, LanguageModelV4Prompt, SharedV4Warning } from "@ai-sdk/provider";
import { createXai } from "@ai-sdk/xai";

export type Json = Record<string, unknown>;

/** What a real provider package would have sent, and what it says about it. */
export interface Sent {
  body: Json;
  warnings: SharedV4Warning[];
}

const bodies: Json[] = [];

const read: LanguageModelV4FunctionTool = { type: "function", name: "read", description: "Reads.", inputSchema: { type: "object", properties: {} } };

/** Keeps what would have been sent, and answers with an empty stream. */
const settings = {
  apiKey: "none",
  fetch: (_url: unknown, init?: RequestInit): Promise<Response> => {
    bodies.push(JSON.parse(init?.body as string) as Json);
    return Promise.resolve(new Response("", { headers: { "content-type": "text/event-stream" } }));
  },
};

/** The body that a real provider package makes of a prompt. Fails when the package refuses it. */
export async function send(model: LanguageModelV4, prompt: LanguageModelV4Prompt): Promise<Sent> {
  bodies.length = 0;
  const { stream } = await model.doStream({ prompt, tools: [read], toolChoice: { type: "auto" } });
  const warnings: SharedV4Warning[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (next.value.type === "stream-start") warnings.push(...next.value.warnings);
  }
  const body = bodies.at(-1);
  if (body === undefined) throw new Error("No request was made.");
  return { body, warnings };
}

export const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** What a body says, whatever its dialect. */
export interface Wire {
  /** Ids of the calls, in order. */
  calls: unknown[];
  /** Ids of the calls that the results belong to, in order. */
  results: unknown[];
  /** Texts of results. */
  texts: unknown[];
  /** Messages without content. */
  empty: Json[];
  roles: unknown[];
}

function chatWire(body: Json): Wire {
  const messages = list(body["messages"]);
  const results = messages.filter(({ role }) => role === "tool");
  return {
    calls: messages.flatMap((message) => list(message["tool_calls"]).map(({ id }) => id)),
    results: results.map((message) => message["tool_call_id"]),
    texts: results.map(({ content }) => content),
    empty: messages.filter(({ content, tool_calls: calls }) => calls === undefined && (content === "" || content === null || (Array.isArray(content) && content.length === 0))),
    roles: messages.map(({ role }) => role),
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
    roles: [],
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
    roles: messages.map(({ role }) => role),
  };
}

function googleWire(body: Json): Wire {
  const contents = list(body["contents"]);
  const parts = contents.flatMap((content) => list(content["parts"]));
  const idOf = (part: unknown): unknown => (part as Json)["id"] ?? (part as Json)["name"];
  return {
    calls: parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [idOf(functionCall)])),
    results: parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [idOf(functionResponse)])),
    texts: parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [JSON.stringify((functionResponse as Json)["response"])])),
    empty: contents.filter((content) => list(content["parts"]).length === 0),
    roles: contents.map(({ role }) => role),
  };
}

function bedrockWire(body: Json): Wire {
  const messages = list(body["messages"]);
  const blocks = messages.flatMap(({ content }) => list(content));
  const results = blocks.flatMap(({ toolResult }) => (toolResult === undefined ? [] : [toolResult as Json]));
  return {
    calls: blocks.flatMap(({ toolUse }) => (toolUse === undefined ? [] : [(toolUse as Json)["toolUseId"]])),
    results: results.map((result) => result["toolUseId"]),
    texts: results.flatMap(({ content }) => list(content).map((item) => item["text"])),
    empty: messages.filter(({ content }) => list(content).length === 0),
    roles: messages.map(({ role }) => role),
  };
}

/** How strictly the roles of a body must alternate. */
type Alternation = "strict" | "after tools" | "free";

export interface ProviderPackage {
  name: string;
  model: LanguageModelV4;
  wireOf: (body: Json) => Wire;
  alternation: Alternation;
}

const region = { region: "us-east-1" };
/** No key is looked for, and none is needed. */
const project = { project: "none", location: "global", googleAuthOptions: { authClient: { getAccessToken: () => Promise.resolve({ token: "none" }) } as never } };
const openai = createOpenAI(settings);
const azure = createAzure({ ...settings, resourceName: "none" });
const google = createGoogleGenerativeAI(settings);
const vertex = createGoogleVertex(settings);
const compatible = createOpenAICompatible({ ...settings, name: "local", baseURL: "http://localhost" });
const hosted = createOpenAICompatible({ ...settings, name: "togetherai", baseURL: "http://localhost" });
const bedrock = createAmazonBedrock({ ...settings, ...region });

function entry(name: string, model: LanguageModelV4, wireOf: (body: Json) => Wire, alternation: Alternation = "free"): ProviderPackage {
  return { name, model, wireOf, alternation };
}

/** The models of the AI SDK's own packages, each over a `fetch` that sends nothing. */
export const providerPackages = {
  anthropic: entry("anthropic", createAnthropic(settings)("claude-sonnet-4-5"), anthropicWire, "strict"),
  vertexAnthropic: entry("anthropic on vertex", createGoogleVertexAnthropic({ fetch: settings.fetch, ...project })("claude-sonnet-4-5"), anthropicWire, "strict"),
  bedrockAnthropic: entry("anthropic on bedrock", createAmazonBedrockAnthropic({ ...settings, ...region })("us.anthropic.claude-sonnet-4-5"), anthropicWire, "strict"),
  openaiResponses: entry("openai responses", openai.responses("gpt-5"), responsesWire),
  azure: entry("azure responses", azure.responses("deployment"), responsesWire),
  openaiChat: entry("openai chat", openai.chat("gpt-4.1"), chatWire),
  azureChat: entry("azure chat", azure.chat("deployment"), chatWire),
  compatible: entry("openai-compatible", compatible("qwen3"), chatWire, "strict"),
  lenient: entry("openai-compatible, lenient", hosted("qwen3"), chatWire),
  gemini25: entry("gemini 2.5", google("gemini-2.5-pro"), googleWire),
  gemini3: entry("gemini 3", google("gemini-3-pro-preview"), googleWire),
  vertex: entry("gemini 3 on vertex", vertex("gemini-3-pro-preview"), googleWire),
  mistral: entry("mistral", createMistral(settings)("mistral-large-latest"), chatWire, "after tools"),
  groq: entry("groq", createGroq(settings)("openai/gpt-oss-120b"), chatWire),
  xai: entry("xai", createXai(settings)("grok-4"), responsesWire),
  bedrock: entry("bedrock, claude", bedrock("us.anthropic.claude-sonnet-4-5-v1:0"), bedrockWire, "strict"),
  bedrockOther: entry("bedrock, llama", bedrock("meta.llama4-maverick-v1:0"), bedrockWire, "strict"),
  deepseek: entry("deepseek", createDeepSeek(settings)("deepseek-v4-pro"), chatWire, "strict"),
  deepseekChat: entry("deepseek chat", createDeepSeek(settings)("deepseek-chat"), chatWire, "strict"),
};
