import { describe, expect, it } from "vitest";
import { costOf } from "../../src/model/cost.ts";

const model = { providerID: "anthropic", modelID: "claude" };
const tokens = { input: 1_000_000, output: 2_000_000, reasoning: 500_000, cache: { read: 4_000_000, write: 100_000 } };

describe("costOf", () => {
  it("is 0 without prices", () => {
    expect(costOf(tokens, undefined, model)).toBe(0);
    expect(costOf(tokens, () => undefined, model)).toBe(0);
  });

  it("is by the million, each bucket at its own price", () => {
    expect(costOf(tokens, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 4, reasoning: 10 }, model)).toBeCloseTo(3 + 30 + 5 + 1.2 + 0.4, 10);
  });

  it("takes the price of input for cached tokens, and that of output for reasoning, when they have none", () => {
    expect(costOf(tokens, { input: 1, output: 2 }, model)).toBeCloseTo(1 + 4 + 1 + 4 + 0.1, 10);
  });

  it("may differ by model", () => {
    const prices = ({ modelID }: { modelID: string }) => (modelID === "claude" ? { input: 1, output: 0 } : undefined);
    expect(costOf(tokens, prices, model)).toBeCloseTo(5.1, 10);
    expect(costOf(tokens, prices, { ...model, modelID: "other" })).toBe(0);
  });

  it("is never broken, whatever a price function answers", () => {
    expect(costOf(tokens, () => ({ input: NaN, output: 1 }), model)).toBe(0);
    expect(costOf(tokens, () => ({ input: -5, output: 0 }), model)).toBe(0);
  });
});
