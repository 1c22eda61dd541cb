import { APICallError, EmptyResponseBodyError, JSONParseError, LoadAPIKeyError, NoSuchModelError, TypeValidationError } from "@ai-sdk/provider";
import { RetryError } from "ai";
import { describe, expect, it } from "vitest";
import { InvalidArgumentError, StorageError, type MessageErrorCode } from "throughline";
import { classifyError } from "../../src/model/classify-error.ts";
import { ModelTimeoutError } from "../../src/model/model-timeout-error.ts";

interface Answer {
  message?: string;
  body?: unknown;
  headers?: Record<string, string>;
  data?: unknown;
  cause?: unknown;
}

const answer = (statusCode: number | undefined, { message = "It failed.", body, headers, data, cause }: Answer = {}): APICallError =>
  new APICallError({
    message,
    url: "https://api.example.com",
    requestBodyValues: { prompt: "prompt is too long" },
    ...(statusCode !== undefined && { statusCode }),
    ...(body !== undefined && { responseBody: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(headers !== undefined && { responseHeaders: headers }),
    data,
    cause,
  });

type Case = [what: string, error: unknown, code: MessageErrorCode];

/** Each as it came from the provider, or as its documentation or the report gives it; see src/model/error-rules.ts. */
const overflows: [provider: string, text: string][] = [
  ["Anthropic", "prompt is too long: 213462 tokens > 200000 maximum"],
  ["Anthropic, with its answer", "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length or `max_tokens` and try again"],
  ["OpenAI", "Your input exceeds the context window of this model. Please adjust your input and try again."],
  ["OpenAI, newer", "Your input exceeds the model's context window."],
  ["OpenAI, GPT-5", "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 312000 tokens."],
  ["OpenAI chat", "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages."],
  ["Google Gemini", "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576)."],
  ["Google Vertex", "Unable to submit request because the input token count is 32825 but model only supports up to 32768."],
  ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ["Groq", "Please reduce the length of the messages or completion."],
  ["OpenRouter", "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens"],
  ["vLLM", "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens."],
  ["vLLM, short", "The model's context length is only 4096 tokens"],
  ["vLLM, parameters", "Input length (265330) exceeds model's maximum context length (262144)."],
  ["SGLang", "Requested token count exceeds the model's maximum context length of 202752 tokens. You requested a total of 202941 tokens"],
  ["Together AI", "The input (516368 tokens) is longer than the model's context length (262144 tokens)."],
  ["Poolside", "Input length 131393 exceeds the maximum allowed input length of 131040 tokens."],
  ["Cohere", "too many tokens: size limit exceeded by 19296 tokens. Try using shorter or fewer inputs. The limit for this model is 132000 tokens."],
  ["Bedrock", "Input is too long for requested model."],
  ["GitHub Copilot", "prompt token count of 135557 exceeds the limit of 128000"],
  ["llama.cpp", "the request exceeds the available context size, try increasing it"],
  ["LM Studio", "The number of tokens to keep from the initial prompt is greater than the context length."],
  ["MiniMax", "invalid params, context window exceeds limit (2013)"],
  ["Kimi", "Your request exceeded model token limit: 262144 (requested: 291351)"],
  ["Mistral", "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"],
  ["z.ai", "tokens in request more than max tokens allowed"],
  ["Ollama", "prompt too long; exceeded max context length by 100918 tokens"],
  ["DashScope", "Range of input length should be [1, 129024]"],
  ["ds4", "Prompt has 256,468 tokens, but the configured context size is 256,000 tokens"],
  ["ds4, newer", "Prompt tokens (300) exceeds context size (256)"],
  ["a proxy", "413 Request Entity Too Large"],
  ["Cerebras", "400 (no body)"],
  ["Mistral, without a body", "400 status code (no body)"],
];

/** What looks like an overflow and is none. */
const lookAlikes: [provider: string, statusCode: number, text: string, code: MessageErrorCode][] = [
  ["OpenAI, a minute's tokens", 429, "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.", "rate-limit"],
  ["OpenAI, the same without its status", 400, "Rate limit reached for gpt-5.2 in organization org-1 on tokens per min (TPM): Limit 500000, Used 362512, Requested 153920. Please try again in 1.971s", "rate-limit"],
  ["Anthropic, a minute's tokens", 429, "This request would exceed the rate limit for your organization of 20,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.", "rate-limit"],
  ["Bedrock", 400, "ThrottlingException: Too many tokens, please wait before trying again.", "rate-limit"],
  ["Bedrock, a day's tokens", 400, "Too many tokens per day, please wait before trying again.", "quota"],
  ["Cerebras", 400, "Tokens per minute limit exceeded - too many tokens processed", "rate-limit"],
  ["Cerebras, without a body", 429, "429 status code (no body)", "rate-limit"],
  ["Groq, an output limit", 400, "`max_tokens` must be less than or equal to `32768`, the maximum value for `max_tokens` is less than the `context_window` for this model", "bad-request"],
  ["OpenAI, an output limit", 400, "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.", "bad-request"],
  ["Anthropic, an output limit", 400, "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet", "bad-request"],
  ["OpenAI, an id", 400, "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 64 instead.", "bad-request"],
  ["Anthropic, one image", 400, "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes", "bad-request"],
  ["the words in a rate limit", 429, "prompt is too long", "rate-limit"],
  ["the words in a broken server", 500, "prompt is too long", "overloaded"],
  ["the words in a missing model", 404, "prompt is too long", "not-found"],
];

const zzz = { error: { code: "context_length_exceeded", message: "zzz" } };

describe("classifyError", () => {
  describe("an overflow in the words of", () => {
    it.each(overflows)("%s", (_provider, text) => {
      expect(classifyError(answer(400, { message: text }))).toBe("overflow");
      expect(classifyError(answer(400, { message: "Bad Request", body: { error: { message: text } } }))).toBe("overflow");
      expect(classifyError({ type: "error", error: { message: text } })).toBe("overflow");
      expect(classifyError(text)).toBe("overflow");
    });
  });

  describe("what only looks like an overflow:", () => {
    it.each(lookAlikes)("%s", (_provider, statusCode, text, code) => {
      expect(classifyError(answer(statusCode, { message: text }))).toBe(code);
      expect(classifyError(answer(statusCode, { message: "No.", body: [{ error: { message: text } }] }))).toBe(code);
    });
  });

  it.each<Case>([
    // R26, anomalyco/opencode#17746
    ["a code in the data of an error", answer(400, { data: zzz }), "overflow"],
    ["a code in a body", answer(400, { body: zzz }), "overflow"],
    ["a code in an error part", { type: "error", error: { code: "context_length_exceeded", message: "zzz" } }, "overflow"],
    ["a code in a JSON message", new Error(JSON.stringify({ type: "error", ...zzz })), "overflow"],
    ["a code in a JSON string", JSON.stringify(zzz), "overflow"],
    ["a code in JSON behind words", new Error(`400 ${JSON.stringify(zzz)}`), "overflow"],
    ["a code in a failed response", { type: "response.failed", response: { status: "failed", error: zzz.error } }, "overflow"],
    ["a code in JSON in JSON", { message: "Provider returned error", code: 400, metadata: { raw: JSON.stringify(zzz) } }, "overflow"],
    // R28, anomalyco/opencode#23713
    [
      "a body that is a list",
      answer(400, { message: "Bad Request", body: [{ error: { code: 400, status: "INVALID_ARGUMENT", message: "The requested token count is over the maximum context length." } }] }),
      "overflow",
    ],
    ["a list of nothing", answer(400, { body: [[], null, 7] }), "bad-request"],
    // R31, openai/codex#41338
    ["413 alone", answer(413), "overflow"],
    ["413 with HTML", answer(413, { body: "<html><title>413 Request Entity Too Large</title></html>" }), "overflow"],
    ["413 that is called a rate limit (Groq)", answer(413, { body: { error: { code: "rate_limit_exceeded", type: "tokens", message: "Request too large on tokens per minute (TPM)" } } }), "overflow"],
    ["llama.cpp's type", answer(400, { body: { error: { code: 400, type: "exceed_context_size_error", message: "no" } } }), "overflow"],
  ])("knows an overflow: %s", (_what, error, code) => {
    expect(classifyError(error)).toBe(code);
  });

  it.each<Case>([
    // R104, anomalyco/opencode#39790
    ["402", answer(402), "quota"],
    ["a used up account", answer(429, { body: { error: { code: "insufficient_quota", message: "You exceeded your current quota" } } }), "quota"],
    ["a plan's window of hours", answer(429, { message: "You have reached your 5-hour usage limit. It resets at 18:00." }), "quota"],
    ["a plan's weekly limit", answer(429, { message: "Weekly limit reached." }), "quota"],
    ["a plan's limit with its time", answer(429, { body: { error: { type: "usage_limit_reached", resets_in_seconds: 12_345 } } }), "quota"],
    ["a quota that comes back in hours", answer(429, { message: "Quota exceeded", headers: { "retry-after": "7200" } }), "quota"],
    ["no credit, with 400 (Anthropic)", answer(400, { message: "Your credit balance is too low to access the Anthropic API." }), "quota"],
    ["no credit, with 403 (xAI)", answer(403, { message: "Your team has either used all available credits or reached its monthly spending limit." }), "quota"],
    // R105, coder/coder#26200
    ["a quota by the minute (Google)", answer(429, { body: { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota. Please retry in 34.07s." } } }), "rate-limit"],
    ["a quota by the minute (Azure)", answer(429, { message: "You have exceeded the call rate limit. To increase your quota, go to ... Please retry after 26 seconds." }), "rate-limit"],
    ["a quota with a short wait in a header", answer(429, { message: "Daily quota exceeded", headers: { "retry-after": "12" } }), "rate-limit"],
    ["the word alone", answer(429, { message: "Quota exceeded" }), "rate-limit"],
    ["a long wait alone", answer(429, { headers: { "retry-after": "7200" } }), "rate-limit"],
  ])("tells a quota from a rate limit: %s", (_what, error, code) => {
    expect(classifyError(error)).toBe(code);
  });

  it.each<Case>([
    // R106, anomalyco/opencode#25731
    ["Anthropic's overload as an error part", { type: "overloaded_error", message: "Overloaded" }, "overloaded"],
    ["the same, nested", { type: "error", error: { type: "overloaded_error" } }, "overloaded"],
    ["OpenAI's overload", { code: "server_is_overloaded" }, "overloaded"],
    ["OpenAI's overload as JSON", '{"type":"error","error":{"code":"server_is_overloaded"}}', "overloaded"],
    ["OpenAI's overload in an Error", new Error('{"code":"server_is_overloaded"}'), "overloaded"],
    ["the same as a cause", new Error("The stream failed.", { cause: { code: "server_is_overloaded" } }), "overloaded"],
    ["a number as the code (OpenRouter)", { error: { code: 429, message: "Provider returned error" } }, "rate-limit"],
    ["a number in a text (Azure)", { error: { code: "429", message: "Too busy." } }, "rate-limit"],
    ["a number that is no status", { error: { code: 1210, message: "no" } }, "unknown"],
    ["Google's status", { error: { code: 503, status: "UNAVAILABLE", message: "The model is overloaded." } }, "overloaded"],
    ["a failure inside a 200", answer(200, { body: { error: { code: 503, message: "no" } } }), "overloaded"],
    ["a too fast client (OpenAI)", { type: "error", error: { type: "too_many_requests" } }, "rate-limit"],
    ["a gateway's name", Object.assign(new Error("slow"), { name: "GatewayRateLimitError" }), "rate-limit"],
    ["a name of AWS", Object.assign(new Error("slow"), { name: "ThrottlingException" }), "rate-limit"],
    ["words alone", new Error("Too many requests"), "rate-limit"],
    ["words of a proxy", "<html><h1>502 Bad Gateway</h1></html>", "overloaded"],
    ["a status in words", "503 Service Unavailable", "overloaded"],
    ["a filter's code (Azure)", answer(400, { body: { error: { code: "content_filter", innererror: { code: "ResponsibleAIPolicyViolation" } } } }), "content-filter"],
    ["a filter's words", answer(400, { message: "Content Exists Risk" }), "content-filter"],
    ["Google's refused key", answer(400, { body: { error: { code: 400, status: "INVALID_ARGUMENT", details: [{ reason: "API_KEY_INVALID" }] } } }), "auth"],
    ["a missing model", answer(400, { body: { error: { code: "model_not_found" } } }), "not-found"],
    ["an attempt that was the last of several", new RetryError({ message: "Failed after 3 attempts.", reason: "maxRetriesExceeded", errors: [answer(400, { data: zzz }), answer(529)] }), "overloaded"],
    ["an unknown chunk that is an error", new TypeValidationError({ value: { error: { type: "overloaded_error" } }, cause: "no match" }), "overloaded"],
  ])("takes an error in a stream like its HTTP twin: %s", (_what, error, code) => {
    expect(classifyError(error)).toBe(code);
  });

  it.each<[number, MessageErrorCode]>([
    [400, "bad-request"],
    [401, "auth"],
    [402, "quota"],
    [403, "auth"],
    [404, "not-found"],
    [405, "bad-request"],
    [408, "timeout"],
    [409, "overloaded"],
    [413, "overflow"],
    [422, "bad-request"],
    [429, "rate-limit"],
    [500, "overloaded"],
    [503, "overloaded"],
    [529, "overloaded"],
  ])("status %i is %s, with no body, an empty one, HTML and JSON without a word", (statusCode, code) => {
    for (const body of [undefined, "", "<!doctype html><p>Sorry</p>", {}, [], "null", '"text"', "{broken"]) expect(classifyError(answer(statusCode, { body }))).toBe(code);
    expect(classifyError(Object.assign(new Error("of another library"), { status: statusCode }))).toBe(code);
  });

  it.each<Case>([
    ["a provider's own abort: nobody cancelled", new DOMException("This operation was aborted", "AbortError"), "network"],
    ["a timeout signal", new DOMException("The operation timed out.", "TimeoutError"), "timeout"],
    ["a limit of ours", new ModelTimeoutError("idleMs", 60_000), "timeout"],
    ["undici's headers timeout", new TypeError("fetch failed", { cause: Object.assign(new Error("Headers Timeout Error"), { code: "UND_ERR_HEADERS_TIMEOUT" }) }), "timeout"],
    ["a reset connection", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), "network"],
    ["a reset connection as the cause", new Error("failed", { cause: Object.assign(new Error("reset"), { code: "UND_ERR_SOCKET" }) }), "network"],
    ["a reset in the middle of a stream", answer(200, { message: "Failed to process successful response", cause: Object.assign(new TypeError("terminated"), { cause: { code: "ECONNRESET" } }) }), "network"],
    ["a fetch that failed", new TypeError("fetch failed"), "network"],
    ["a name that nobody knows", new TypeError("fetch failed", { cause: Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }) }), "network"],
    ["two addresses that refuse", new AggregateError([Object.assign(new Error("a"), { code: "ECONNREFUSED" })], "all failed"), "network"],
    ["a damaged body", Object.assign(new Error("unexpected end of file"), { code: "Z_BUF_ERROR" }), "network"],
    ["a call without a status", answer(undefined), "network"],
    ["a success that is no answer", answer(200, { message: "Invalid JSON response", body: "<html>Welcome</html>" }), "truncated-stream"],
    ["a line that is no JSON", new JSONParseError({ text: "{\"id\": \"x", cause: new SyntaxError("no") }), "truncated-stream"],
    ["an empty body", new EmptyResponseBodyError(), "empty"],
    ["a missing key", new LoadAPIKeyError({ message: "No key." }), "auth"],
    ["a model that the provider does not know", new NoSuchModelError({ modelId: "x", modelType: "languageModel" }), "not-found"],
    ["a broken store", new StorageError("disk full"), "storage"],
    ["a wrong argument", new InvalidArgumentError("model", "no"), "bad-request"],
    ["any other error", new Error("boom"), "unknown"],
    ["a text", "boom", "unknown"],
    ["nothing", undefined, "unknown"],
  ])("%s", (_what, error, code) => {
    expect(classifyError(error)).toBe(code);
  });

  it("reads no words of the request, which servers send back and errors carry", () => {
    const echoed = { detail: [{ type: "missing", loc: ["body", "tools"], msg: "Field required", input: { text: "prompt is too long" } }] };
    expect(classifyError(answer(422, { body: echoed }))).toBe("bad-request");
  });
});
