import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { InvalidArgumentError, StorageError, type MessageErrorCode } from "throughline";
import { describeError } from "../../src/model/describe-error.ts";
import { ModelTimeoutError } from "../../src/model/model-timeout-error.ts";

const apiError = (statusCode: number | undefined, more: { data?: unknown; responseBody?: string } = {}): APICallError =>
  new APICallError({ message: "It failed.", url: "https://api.example.com", requestBodyValues: {}, ...(statusCode !== undefined && { statusCode }), ...more });

describe("describeError", () => {
  it.each<[string, unknown, MessageErrorCode, boolean]>([
    ["401", apiError(401), "auth", false],
    ["403", apiError(403), "auth", false],
    ["402", apiError(402), "quota", false],
    ["400", apiError(400), "bad-request", false],
    ["404", apiError(404), "bad-request", false],
    ["408", apiError(408), "timeout", true],
    ["413", apiError(413), "overflow", false],
    ["429", apiError(429), "rate-limit", true],
    ["500", apiError(500), "overloaded", true],
    ["529", apiError(529), "overloaded", true],
    ["a context overflow by its code", apiError(400, { data: { error: { code: "context_length_exceeded" } } }), "overflow", false],
    ["an overflow that Anthropic words", apiError(400, { responseBody: "prompt is too long: 213462 tokens > 200000 maximum" }), "overflow", false],
    ["an output limit that does not fit", apiError(400, { responseBody: "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000" }), "overflow", false],
    ["an overflow that Google words", apiError(400, { responseBody: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)." }), "overflow", false],
    ["the words of an overflow in a rate limit", apiError(429, { responseBody: "prompt is too long" }), "rate-limit", true],
    ["the words of an overflow in a broken server", apiError(500, { responseBody: "prompt is too long" }), "overloaded", true],
    ["a call without a status", apiError(undefined), "network", true],
    ["a status field of another library", Object.assign(new Error("slow down"), { status: 429 }), "rate-limit", true],
    ["a missing key", new LoadAPIKeyError({ message: "No key." }), "auth", false],
    ["a reset connection", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), "network", true],
    ["a reset connection as the cause", new Error("failed", { cause: Object.assign(new Error("reset"), { code: "UND_ERR_SOCKET" }) }), "network", true],
    ["a fetch that failed", new TypeError("fetch failed"), "network", true],
    ["a limit of ours", new ModelTimeoutError("idleMs", 60_000), "timeout", true],
    ["a broken store", new StorageError("disk full"), "storage", false],
    ["a wrong argument", new InvalidArgumentError("model", "no"), "bad-request", false],
    ["an AbortError of the provider: nobody cancelled", new DOMException("aborted", "AbortError"), "unknown", false],
    ["any other error", new Error("boom"), "unknown", false],
    ["a text", "boom", "unknown", false],
    ["nothing", undefined, "unknown", false],
  ])("%s", (_what, error, code, retryable) => {
    expect(describeError(error)).toMatchObject({ code, retryable });
  });

  it("is plain data, whatever was thrown, with a message that is not empty", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const thrown: unknown[] = [new Error(""), "", null, undefined, 7, 2n, Symbol("s"), cyclic, [], { error: { message: "inner" } }, () => 1, Object.create(null)];
    for (const error of thrown) {
      const described = describeError(error);
      expect(described.message).not.toBe("");
      expect(JSON.parse(JSON.stringify(described))).toEqual(described);
    }
  });

  it("finds the message that the provider put inside", () => {
    expect(describeError({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }).message).toBe("Overloaded");
  });

  it("keeps the status and the beginning of the body", () => {
    const described = describeError(apiError(500, { responseBody: "x".repeat(10_000) }));
    expect(described).toMatchObject({ name: "AI_APICallError", message: "It failed.", statusCode: 500 });
    expect(described.responseBody).toHaveLength(4000);
  });
});
