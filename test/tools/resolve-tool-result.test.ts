import { describe, expect, it } from "vitest";
import { resolveToolResult } from "../../src/tools/resolve-tool-result.ts";
import { LazyAbortController } from "../../src/util/lazy-abort-controller.ts";

function resolve(returned: unknown, abort = new LazyAbortController()) {
  const partials: unknown[] = [];
  const result = resolveToolResult(returned, abort, (value) => partials.push(value));
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
    const controller = new LazyAbortController();
    let closed = false;
    async function* endless() {
      try {
        for (let count = 0; ; count += 1) {
          if (count === 2) controller.abort("stop");
          yield count;
        }
      } finally {
        closed = true;
      }
    }
    const { result, partials } = resolve(endless(), controller);
    await result;
    expect(closed).toBe(true);
    expect(partials).toEqual([0, 1]);
  });
});
