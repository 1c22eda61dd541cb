import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesToBase64, toJSONSafe } from "../../src/util/json-safe.ts";

describe("toJSONSafe", () => {
  it.each<[string, unknown, unknown]>([
    ["a string", "a", "a"],
    ["a lone surrogate", "a\ud800b😀", "a\ufffdb😀"],
    ["nothing", undefined, null],
    ["a function", () => 1, null],
    ["a symbol", Symbol("x"), null],
    ["a bigint", 2n ** 70n, "1180591620717411303424"],
    ["not a number", Number.NaN, "NaN"],
    ["infinity", -Infinity, "-Infinity"],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an invalid date", new Date(Number.NaN), null],
    ["a URL", new URL("https://example.com/a"), "https://example.com/a"],
    ["a pattern", /a+/g, "/a+/g"],
    ["bytes", new Uint8Array([1, 2, 255]), "AQL/"],
    ["a buffer", Buffer.from("hi"), "aGk="],
    ["an array buffer", new Uint8Array([1]).buffer, "AQ=="],
    ["numbers in a typed array", new Float32Array([1, 2.5]), [1, 2.5]],
    ["a map by strings", new Map([["a", 1n]]), { a: "1" }],
    ["a map by objects", new Map([[{ k: 1 }, 1]]), [[{ k: 1 }, 1]]],
    ["a set", new Set([1, "a"]), [1, "a"]],
    ["fields without a value", { a: undefined, b: () => 1, c: null }, { c: null }],
    ["values that JSON lacks in a list", [undefined, () => 1], [null, null]],
    ["holes in a list", Object.assign([1], { length: 3 }), [1, null, null]],
    ["an error", new TypeError("bad", { cause: new Error("why") }), { name: "TypeError", message: "bad", cause: { name: "Error", message: "why" } }],
    ["an error with fields", Object.assign(new Error("no"), { code: "ENOENT" }), { name: "Error", message: "no", code: "ENOENT" }],
    ["its own JSON form", { toJSON: () => ({ a: 1n }) }, { a: "1" }],
    ["a key that sets a prototype", JSON.parse('{"__proto__":{"admin":true},"a":1}'), { a: 1 }],
    ["a lone surrogate in a key", { "a\udc00": 1 }, { "a\ufffd": 1 }],
    ["a getter that throws", { a: 1, get b(): number { throw new Error("no"); } }, { a: 1, b: "[unreadable]" }],
    ["a revoked proxy", revoked(), "[unreadable]"],
  ])("copies %s", (_, value, expected) => {
    expect(toJSONSafe(value)).toEqual(expected);
  });

  it("marks a cycle, but not the same object twice", () => {
    const shared = { a: 1 };
    const cyclic: Record<string, unknown> = { first: shared, second: shared };
    cyclic["self"] = { back: cyclic };
    expect(toJSONSafe(cyclic)).toEqual({ first: { a: 1 }, second: { a: 1 }, self: { back: "[circular]" } });
  });

  it("survives any depth", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(toJSONSafe(deep))).toContain("[too deep]");
  });

  it("shares nothing with the original", () => {
    const original = { list: [{ a: 1 }] };
    const copy = toJSONSafe(original);
    original.list[0] = { a: 2 };
    expect(copy).toEqual({ list: [{ a: 1 }] });
  });

  it("leaves JSON as it is", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (json) => {
        const value: unknown = JSON.parse(json);
        fc.pre(!json.includes("__proto__"));
        expect(JSON.stringify(toJSONSafe(value))).toBe(JSON.stringify(value).replaceAll(/\\ud[89a-f]../g, "\ufffd"));
      }),
    );
  });

  it("makes JSON of anything, without an exception", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withSparseArray: true, withNullPrototype: true }), (value) => {
        const safe = toJSONSafe(value);
        // JSON has no negative zero.
        expect(JSON.stringify(JSON.parse(JSON.stringify(safe)))).toBe(JSON.stringify(safe));
      }),
    );
  });
});

describe("bytesToBase64", () => {
  it("writes what a buffer would write, for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
        expect(bytesToBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      }),
    );
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
