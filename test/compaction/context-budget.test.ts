import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkContextLimits, inputWindow, usableContext } from "../../src/compaction/context-budget.ts";

describe("the usable context", () => {
  it.each([
    ["leaves room for the answer", { context: 100_000, output: 8_000 }, undefined, 92_000],
    ["but not for more than OpenCode's 32,000", { context: 200_000, output: 64_000 }, undefined, 168_000],
    ["or for what the host reserves", { context: 200_000, output: 64_000 }, 10_000, 190_000],
    ["or for nothing", { context: 200_000, output: 64_000 }, 0, 200_000],
    ["keeps to a limit on what is sent, with at most 20,000 off", { context: 400_000, output: 128_000, input: 272_000 }, undefined, 252_000],
    ["is at least half of the window", { context: 10_000, output: 8_000 }, undefined, 5_000],
    ["and half of what can be sent", { context: 100_000, output: 32_000, input: 30_000 }, undefined, 15_000],
  ])("%s", (_name, limits, reserve, usable) => {
    expect(usableContext(limits, reserve)).toBe(usable);
  });

  it("R3: of a model whose output limit is its context is not always exceeded", () => {
    expect(usableContext({ context: 40_000, output: 40_000 })).toBe(20_000);
  });

  it("for any limits is positive and fits into the window", () => {
    const size = fc.integer({ min: 1, max: 2_000_000 });
    fc.assert(
      fc.property(size, size, fc.option(size, { nil: undefined }), fc.option(fc.nat(3_000_000), { nil: undefined }), (context, output, input, reserve) => {
        const limits = { context, output, input };
        expect(usableContext(limits, reserve)).toBeGreaterThan(0);
        expect(usableContext(limits, reserve)).toBeLessThanOrEqual(inputWindow(limits));
      }),
    );
  });
});

describe("limits that cannot be", () => {
  it.each([
    [{ context: 1000 }, /limits\.output: expected a whole number of at least 1, got undefined/],
    [{ context: 0, output: 1 }, /limits\.context: expected a whole number of at least 1, got 0/],
    [{ context: Number.POSITIVE_INFINITY, output: 1 }, /limits\.context/],
    [{ context: 1000, output: 100, input: 1.5 }, /limits\.input: expected a whole number/],
    [{ context: 1000, output: 100, inputs: 5 }, /limits\.inputs: there is no such option/],
    [200_000, /limits: expected an options object/],
  ])("%j", (limits, message) => {
    expect(() => {
      checkContextLimits(limits, "limits");
    }).toThrow(message);
  });

  it("and those that can: catalogues give an output above the context, too", () => {
    checkContextLimits({ context: 40_000, output: 64_000, input: undefined }, "limits");
  });
});
