import { describe, expect, it } from "vitest";
import { resolveToolResult } from "../../src/tools/resolve-tool-result.ts";

function resolve(returned: unknown, abortSignal = new AbortController().signal) {
  const partials: unknown[] = [];
  const result = resolveToolResult(returned, { abortSignal, onPartial: (value) => partials.push(value) });
  return { result, partials };
}

describe("resolveToolResult", () => {
  it.each([["text"], [undefined], [{ a: 1 }]])("gives a plain value back: %j", async (value) => {
    expect(await resolve(value).result).toBe(value);
    expect(await resolve(Promise.resolve(value)).result).toBe(value);
  });

  it("takes the last value of an async iterable for the result, and shows each when it comes", async () => {
    async function* counting() {
      yield 1;
      yield await Promise.resolve(2);
    }
    const { result, partials } = resolve(counting());
    expect(await result).toBe(2);
    expect(partials).toEqual([1, 2]);
  });

  it("takes an empty iterable for no result", async () => {
    async function* nothing() {}
    expect(await resolve(nothing()).result).toBeUndefined();
  });

  it("passes the error of a generator on", async () => {
    async function* failing() {
      yield 1;
      throw new Error("broken");
    }
    await expect(resolve(failing()).result).rejects.toThrow("broken");
  });

  it("closes the generator after an abort", async () => {
    const controller = new AbortController();
    let closed = false;
    async function* endless() {
      try {
        for (let count = 0; ; count += 1) {
          if (count === 2) controller.abort();
          yield count;
        }
      } finally {
        closed = true;
      }
    }
    const { result, partials } = resolve(endless(), controller.signal);
    await result;
    expect(closed).toBe(true);
    expect(partials).toEqual([0, 1]);
  });
});
