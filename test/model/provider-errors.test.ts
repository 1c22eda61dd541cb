import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGroq } from "@ai-sdk/groq";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createXai } from "@ai-sdk/xai";
import { describe, expect, it } from "vitest";
import { createAgent, type MessageError } from "throughline";

type Answer = () => Response;

function models(answer: Answer): Record<string, LanguageModelV4> {
  const settings = { apiKey: "none", fetch: async (): Promise<Response> => answer() };
  return {
    "Anthropic": createAnthropic(settings)("claude-sonnet-4-5"),
    "OpenAI": createOpenAI(settings)("gpt-5"),
    "OpenAI chat": createOpenAI(settings).chat("gpt-5"),
    "Google": createGoogleGenerativeAI(settings)("gemini-2.5-pro"),
    "Groq": createGroq(settings)("llama-3.3-70b-versatile"),
    "Mistral": createMistral(settings)("mistral-large-latest"),
    "xAI": createXai(settings)("grok-4"),
    "a compatible server": createOpenAICompatible({ ...settings, name: "local", baseURL: "https://local.example.com/v1" })("any"),
  };
}

async function errorOf(model: LanguageModelV4): Promise<MessageError | undefined> {
  const session = await createAgent({ model, retry: { maxAttempts: 1 } }).session();
  const result = await session.prompt("Hi").settled;
  await session.close();
  return "error" in result ? result.error : undefined;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => () => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
const html = (status: number): Answer => () => new Response("<!doctype html><title>Sorry</title>", { status, headers: { "content-type": "text/html" } });
const stream = (...payloads: (object | string)[]): Answer => () =>
  new Response(payloads.map((payload) => `data: ${typeof payload === "string" ? payload : JSON.stringify(payload)}\n\n`).join(""), { headers: { "content-type": "text/event-stream" } });

/** The body that each provider's package expects of a failure; a gateway in front of it may send any other. */
const chatBody = { error: { message: "zzz", type: "invalid_request_error", code: "context_length_exceeded", param: null } };
const providers = Object.keys(models(html(500)));

/** An answer with nothing in it. xAI's package says so itself; of the others the stream just ends. */
const nothing = { code: expect.stringMatching(/^(?:truncated-stream|empty)$/) as MessageError["code"], retryable: true };

describe.each(providers)("a failure of %s", (provider) => {
  const failing = (answer: Answer): Promise<MessageError | undefined> => {
    const model = models(answer)[provider];
    if (model === undefined) throw new Error(`There is no ${provider}.`);
    return errorOf(model);
  };

  it.each<[string, Answer, Partial<MessageError>]>([
    ["429 with a hint", json(429, { error: { message: "Slow down.", type: "rate_limit_error" } }, { "retry-after": "7" }), { code: "rate-limit", retryable: true, statusCode: 429, retryAfterMs: 7000 }],
    ["500", json(500, { error: { message: "Broken.", type: "api_error" } }), { code: "overloaded", retryable: true, statusCode: 500 }],
    ["503 with HTML", html(503), { code: "overloaded", retryable: true, statusCode: 503 }],
    ["529", json(529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }), { code: "overloaded", retryable: true, statusCode: 529 }],
    ["401", json(401, { error: { message: "No.", type: "authentication_error" } }), { code: "auth", retryable: false }],
    ["404", json(404, { error: { message: "No such model.", type: "not_found_error" } }), { code: "not-found", retryable: false }],
    ["413 with HTML", html(413), { code: "overflow", retryable: false }],
    ["an overflow by its code", json(400, chatBody), { code: "overflow", retryable: false }],
    ["an overflow in words, in a list", json(400, [{ error: { code: 400, status: "INVALID_ARGUMENT", message: "The requested token count is over the maximum context length." } }]), { code: "overflow" }],
    ["200 with HTML", html(200), nothing],
    ["200 with an empty stream", stream(), nothing],
    ["a connection that is refused", () => { throw new TypeError("fetch failed", { cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }) }); }, { code: "network", retryable: true }],
    ["an abort of its own", () => { throw new DOMException("This operation was aborted", "AbortError"); }, { code: "network", retryable: true }],
    ["a garbage line", stream("{broken"), { code: "truncated-stream", retryable: true }],
  ])("%s", async (_what, answer, expected) => {
    expect(await failing(answer)).toMatchObject(expected);
  });
});

describe("a failure in a stream that began well", () => {
  const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "any", choices: [{ index: 0, delta: { role: "assistant", content: "Half" }, finish_reason: null }] };
  const start = { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", model: "claude", content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } };

  it.each<[string, string, Answer, Partial<MessageError>]>([
    ["an overload", "Anthropic", stream(start, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }), { code: "overloaded", retryable: true }],
    ["an overload, as the first event", "Anthropic", stream({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }), { code: "overloaded", retryable: true }],
    ["a rate limit", "Anthropic", stream(start, { type: "error", error: { type: "rate_limit_error", message: "Slow down." } }), { code: "rate-limit", retryable: true }],
    ["an overflow", "Anthropic", stream({ type: "error", error: { type: "invalid_request_error", message: "prompt is too long: 213462 tokens > 200000 maximum" } }), { code: "overflow" }],
    ["an overflow", "OpenAI chat", stream(chunk, chatBody), { code: "overflow" }],
    ["an overflow", "OpenAI", stream({ type: "error", sequence_number: 0, error: { type: "invalid_request_error", code: "context_length_exceeded", message: "zzz", param: "input" } }), { code: "overflow" }],
    ["an overload", "OpenAI", stream({ type: "response.failed", sequence_number: 0, response: { error: { code: "server_is_overloaded", message: "Our servers are currently overloaded." } } }), { code: "overloaded", retryable: true }],
    ["an overload", "a compatible server", stream(chunk, { error: { message: "Provider returned error", code: 503 } }), { code: "overloaded", retryable: true }],
    ["an overload", "Google", stream({ error: { code: 503, status: "UNAVAILABLE", message: "The model is overloaded." } }), { code: "overloaded", retryable: true }],
    ["no end", "OpenAI chat", stream(chunk), { code: "truncated-stream", retryable: true }],
    ["no end", "a compatible server", stream(chunk), { code: "truncated-stream", retryable: true }],
    ["no end", "Anthropic", stream(start), { code: "truncated-stream", retryable: true }],
    ["a garbage line", "a compatible server", stream(chunk, "{broken"), { code: "truncated-stream", retryable: true }],
    ["a limit", "Google", stream({ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota. Please retry in 34.07s." } }), { code: "rate-limit", retryAfterMs: 34_070 }],
  ])("%s of %s", async (_what, provider, answer, expected) => {
    const model = models(answer)[provider];
    expect(model && (await errorOf(model))).toMatchObject(expected);
  });
});
