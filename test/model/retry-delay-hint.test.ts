import { APICallError } from "@ai-sdk/provider";
import { RetryError } from "ai";
import { describe, expect, it } from "vitest";
import { errorFacts } from "../../src/model/error-facts.ts";
import { retryDelayHint } from "../../src/model/retry-delay-hint.ts";

const now = Date.UTC(2026, 10, 6, 8, 49, 37);
const hint = (error: unknown, at: number | undefined = now): number | undefined => retryDelayHint(errorFacts(error), at);
const answer = (headers: Record<string, string> | undefined, responseBody?: string): APICallError =>
  new APICallError({ message: "no", url: "", requestBodyValues: {}, statusCode: 429, ...(headers && { responseHeaders: headers }), ...(responseBody !== undefined && { responseBody }) });

describe("retryDelayHint", () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ["milliseconds", { "retry-after-ms": "1500" }, 1500],
    ["milliseconds before seconds", { "retry-after": "60", "retry-after-ms": "1500" }, 1500],
    ["parts of a millisecond, never early", { "retry-after-ms": "0.2" }, 1],
    ["seconds", { "retry-after": "7" }, 7000],
    ["parts of a second", { "retry-after": "1.25" }, 1250],
    ["names in any case", { "Retry-After": " 7 " }, 7000],
    ["seconds, when the milliseconds are unusable", { "retry-after-ms": "soon", "retry-after": "7" }, 7000],
    ["zero", { "retry-after": "0" }, undefined],
    ["a negative delay", { "retry-after": "-7", "retry-after-ms": "-1" }, undefined],
    ["what Number would take", { "retry-after": "1e9" }, undefined],
    ["nothing in it", { "retry-after": "" }, undefined],
    ["no number at all", { "retry-after": "Infinity", "retry-after-ms": "NaN" }, undefined],
    // R101, CopilotKit/CopilotKit#3842
    ["a date", { "retry-after": "Fri, 06 Nov 2026 08:49:42 GMT" }, 5000],
    ["a date in its second form", { "retry-after": "Friday, 06-Nov-26 08:49:42 GMT" }, 5000],
    ["a date in its oldest form", { "retry-after": "Fri Nov  6 08:49:42 2026" }, 5000],
    ["an ISO date", { "retry-after": "2026-11-06T08:49:42Z" }, 5000],
    ["a date in the past", { "retry-after": "Fri, 06 Nov 2026 08:49:32 GMT" }, undefined],
    ["a date that is none", { "retry-after": "Fri, 99 Nov 2026" }, undefined],
    // R98, anomalyco/opencode#33728
    ["other headers", { date: "Fri, 06 Nov 2026 08:49:42 GMT", "content-type": "application/json" }, undefined],
    ["more than timers take", { "retry-after": "99999999999" }, 2 ** 31 - 1],
    ["a date far away", { "retry-after": "Fri, 06 Nov 2099 08:49:42 GMT" }, 2 ** 31 - 1],
  ])("of headers: %s", (_what, headers, delay) => {
    expect(hint(answer(headers))).toBe(delay);
    expect(hint({ headers: new Headers(headers) })).toBe(delay);
    expect(hint(new Error("outer", { cause: { response: { headers: new Map(Object.entries(headers)) } } }))).toBe(delay);
  });

  it("of a date needs to know what time it is", () => {
    expect(retryDelayHint(errorFacts(answer({ "retry-after": "Fri, 06 Nov 2026 08:49:42 GMT" })))).toBeUndefined();
  });

  it.each<[string, unknown, number | undefined]>([
    ["Google's RetryInfo", { error: { code: 429, details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7.5s" }] } }, 7500],
    ["RetryInfo without a delay", { error: { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0s" }] } }, undefined],
    ["ChatGPT plans", { error: { type: "usage_limit_reached", resets_in_seconds: 12_345 } }, 12_345_000],
    ["a gateway", { error: { retry_after: 2.5 } }, 2500],
    ["a gateway, in a text", { retry_after_ms: "250" }, 250],
    ["OpenAI", { error: { message: "Rate limit reached ... Please try again in 1.2s. Visit ..." } }, 1200],
    ["OpenAI, in milliseconds", { error: { message: "Please try again in 20ms." } }, 20],
    ["Groq", { error: { message: "Please try again in 7m12.5s." } }, 432_500],
    ["hours", { error: { message: "Try again in 1h 2m 3s" } }, 3_723_000],
    ["words", { error: { message: "available in 2 minutes, 5 seconds" } }, 125_000],
    // R111, Kilo-Org/kilocode#14269
    ["Google", { error: { message: "Please retry in 12.3s." } }, 12_300],
    ["Azure", { error: { message: "Please retry after 26 seconds." } }, 26_000],
    ["a number without a unit", { error: { message: "Please try again in 5" } }, undefined],
    ["zero", { error: { message: "Please try again in 0s" } }, undefined],
    ["no delay", { error: { message: "Please try again later." } }, undefined],
    ["broken figures", { retry_after: NaN, retryDelay: "-1s", retry_after_ms: Infinity, resets_in_seconds: -5 }, undefined],
  ])("of bodies: %s", (_what, body, delay) => {
    expect(hint(answer(undefined, JSON.stringify(body)))).toBe(delay);
    expect(hint(body)).toBe(delay);
    expect(hint(new Error(JSON.stringify(body)))).toBe(delay);
  });

  it("takes a header before a body", () => {
    expect(hint(answer({ "retry-after": "3" }, '{"error":{"message":"Please try again in 1.2s"}}'))).toBe(3000);
  });

  it("is that of the last attempt", () => {
    expect(hint(new RetryError({ message: "no", reason: "maxRetriesExceeded", errors: [answer({ "retry-after": "1" }), answer({ "retry-after": "2" })] }))).toBe(2000);
  });
});
