import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { StorageError, type MessageErrorCode } from "throughline";
import { describeError } from "../../src/model/describe-error.ts";
import { ModelTimeoutError } from "../../src/model/model-timeout-error.ts";

const apiError = (statusCode: number | undefined, more: { data?: unknown; responseBody?: string } = {}): APICallError =>
  new APICallError({ message: "It failed.", url: "https://api.example.com", requestBodyValues: {}, ...(statusCode !== undefined && { statusCode }), ...more });

describe("describeError", () => {
  it.each<[string, unknown, MessageErrorCode, boolean]>([
    ["a rate limit", apiError(429), "rate-limit", true],
    ["an overload", apiError(529), "overloaded", true],
    ["a broken connection", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), "network", true],
    ["a timeout", apiError(408), "timeout", true],
    ["a damaged answer", apiError(200), "truncated-stream", true],
    ["a refused request", apiError(400), "bad-request", false],
    ["an overflow", apiError(413), "overflow", false],
    ["a used up quota", apiError(402), "quota", false],
    ["a refused key", apiError(401), "auth", false],
    ["a missing model", apiError(404), "not-found", false],
    ["an error that nobody knows", new Error("boom"), "unknown", false],
    ["an error that says so itself", Object.assign(new Error("boom"), { isRetryable: true }), "unknown", true],
    ["a limit of ours", new ModelTimeoutError("idleMs", 60_000), "timeout", true],
    ["a broken store", new StorageError("disk full"), "storage", false],
  ])("says whether the call may be made again: %s", (_what, error, code, retryable) => {
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

  it("keeps the status that came in a stream, and how long the provider asks to wait", () => {
    expect(describeError({ type: "error", error: { code: 429, message: "Please try again in 1.2s." } })).toMatchObject({ code: "rate-limit", statusCode: 429, retryAfterMs: 1200 });
    const date = new APICallError({ message: "Busy.", url: "", requestBodyValues: {}, statusCode: 503, responseHeaders: { "retry-after": "Fri, 06 Nov 2026 08:49:42 GMT" } });
    expect(describeError(date, Date.UTC(2026, 10, 6, 8, 49, 37)).retryAfterMs).toBe(5000);
    expect(describeError(date)).not.toHaveProperty("retryAfterMs");
  });

  it("shows the provider's words, not the JSON around them", () => {
    expect(describeError(new Error('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')).message).toBe("Overloaded");
  });

  it("keeps the status and the beginning of the body", () => {
    const described = describeError(apiError(500, { responseBody: "x".repeat(10_000) }));
    expect(described).toMatchObject({ name: "AI_APICallError", message: "It failed.", statusCode: 500 });
    expect(described.responseBody).toHaveLength(4000);
  });
});
