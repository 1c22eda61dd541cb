import { APICallError } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageErrorSchema } from "throughline/schema";
import { classifyError } from "../../src/model/classify-error.ts";
import { describeError } from "../../src/model/describe-error.ts";

const call = (responseBody: string, message = "no", statusCode?: number): APICallError =>
  new APICallError({ message, url: "", requestBodyValues: {}, responseBody, ...(statusCode !== undefined && { statusCode }) });

/** Values with the fields that errors have, holding anything. */
const shaped = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true }),
    fc.constantFrom("prompt is too long", "rate limit", "insufficient_quota", "Please try again in 1.5s", "-3s", '{"error":{"code":503}}', "\ud800"),
    fc.double(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom("message", "error", "code", "status", "statusCode", "type", "cause", "data", "responseBody", "responseHeaders", "headers", "retry-after", "retry-after-ms", "Retry-After", "retryDelay", "retry_after", "lastError", "errors", "name"),
      tie("value"),
      { maxKeys: 6 },
    ),
  ),
})).value;

const wrapped = fc.tuple(shaped, fc.constantFrom("as it is", "message", "cause", "body", "json")).map(([value, way]): unknown => {
  switch (way) {
    case "message":
      return new Error(safeJSON(value));
    case "cause":
      return new Error("outer", { cause: value });
    case "body":
      return call(safeJSON(value), "", 429);
    case "json":
      return safeJSON(value);
    default:
      return value;
  }
});

function safeJSON(value: unknown): string {
  try {
    return JSON.stringify({ value }).slice('{"value":'.length, -1);
  } catch {
    return "";
  }
}

const hostile = (): unknown[] => {
  const cyclic: Record<string, unknown> = {};
  cyclic["error"] = cyclic;
  cyclic["list"] = [cyclic];
  const throwing = new Proxy({}, { get: () => fail(), has: () => fail(), ownKeys: () => fail(), getPrototypeOf: () => fail() });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const endless: unknown = new Proxy({}, { get: () => endless });
  const tree = (depth: number): unknown => (depth === 0 ? "leaf" : Object.fromEntries(["error", "cause", "data", "details"].map((key) => [key, tree(depth - 1)])));
  return [
    cyclic, throwing, proxy, endless, tree(6), Object.freeze({ error: Object.freeze({ code: 429 }) }), { headers: { get: fail } }, { headers: throwing, error: throwing },
    { headers: { *[Symbol.iterator]() { for (;;) yield ["a", "b"]; } } }, { toJSON: () => undefined }, { toJSON: fail }, { errors: new Array(1e9) },
    Object.create(null), Symbol("s"), 2n, () => 1, new Error(""), Object.assign(new Error("x"), { message: 7, name: 8, code: {} }),
  ];
};

function fail(): never {
  throw new Error("no");
}

function expectDescribed(error: unknown): void {
  const described = describeError(error, 1_700_000_000_000);
  expect(classifyError(error, 1_700_000_000_000)).toBe(described.code);
  expect(described.message).not.toBe("");
  expect(JSON.parse(JSON.stringify(described))).toEqual(described);
  expect(messageErrorSchema.parse(described)).toEqual(described);
  const { retryAfterMs } = described;
  if (retryAfterMs !== undefined) expect(Number.isInteger(retryAfterMs) && retryAfterMs > 0 && retryAfterMs < 2 ** 31).toBe(true);
}

describe("any error whatever", () => {
  it("is described as data that can be stored, with a class and a legal delay or none", () => {
    fc.assert(fc.property(wrapped, expectDescribed), { numRuns: 1000 });
  });

  it("may be cyclic, frozen, endless, a proxy or nothing like an error", () => {
    for (const error of hostile()) expectDescribed(error);
  });

  it("may be megabytes long", () => {
    const size = 10_000_000;
    const bodies = ["x".repeat(size), `{"error":{"message":"${"input length ".repeat(size / 13)}"}}`, "[".repeat(size), "input token count ".repeat(size / 18), "1s ".repeat(size / 3), "5-hour ".repeat(size / 7), `<html>${"429 ".repeat(size / 4)}`];
    for (const body of bodies) {
      const began = performance.now();
      expect(JSON.stringify(describeError(call(body, body, 400))).length).toBeLessThan(20_000);
      describeError(body);
      describeError({ error: { message: body, data: [body, body] } });
      // Milliseconds on any machine; the bound only has to tell it from time that grows with the body or its square.
      expect(performance.now() - began).toBeLessThan(2000);
    }
  });
});
