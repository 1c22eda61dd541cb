import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAgent, InvalidArgumentError, type ModelPrices } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { start } from "../session/session-under-test.ts";
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

  describe("above a context size", () => {
    // Gemini 2.5 Pro and Claude with a long context charge so: the whole call, from the first token above the size.
    const tiered: ModelPrices = { input: 1, output: 10, cacheRead: 0.1, tiers: [{ above: 400_000, input: 4, output: 40 }, { above: 200_000, input: 2, output: 20, cacheRead: 0.2, cacheWrite: 3, reasoning: 30 }] };
    const call = (input: number, read = 0, write = 0) => ({ input, output: 1_000_000, reasoning: 1_000_000, cache: { read, write } });

    it.each<[string, ReturnType<typeof call>, number]>([
      ["below it", call(100_000, 50_000), 0.1 + 0.005 + 20],
      ["at it", call(100_000, 60_000, 40_000), 0.1 + 0.006 + 0.04 + 20],
      ["one token above it, which is in the cache", call(100_000, 60_000, 40_001), 0.2 + 0.012 + 0.120003 + 50],
      ["at the next", call(400_000), 0.8 + 50],
      ["above the next, whose own prices are the defaults", call(300_000, 100_001), 1.2 + 0.400004 + 80],
      ["far above", call(4_000_000), 16 + 80],
    ])("%s", (_what, used, cost) => {
      expect(costOf(used, tiered, model)).toBeCloseTo(cost, 9);
    });

    it.each<[string, unknown, string]>([
      ["no list", {}, "createAgent.options.prices.tiers"],
      ["no size", [{ input: 1, output: 1 }], "createAgent.options.prices.tiers[0].above"],
      ["a size of 0", [{ above: 0, input: 1, output: 1 }], "createAgent.options.prices.tiers[0].above"],
      ["no price", [{ above: 1, input: 1, output: 1 }, { above: 2, input: 1 }], "createAgent.options.prices.tiers[1].output"],
      ["a negative price", [{ above: 1, input: -1, output: 1 }], "createAgent.options.prices.tiers[0].input"],
      ["a misspelt price", [{ above: 1, input: 1, output: 1, cached: 1 }], "createAgent.options.prices.tiers[0].cached"],
      ["no object", [7], "createAgent.options.prices.tiers[0]"],
    ])("are refused with %s", (_what, tiers, argument) => {
      const prices = { input: 1, output: 1, tiers } as ModelPrices; // What a caller without types may give.
      expect(() => createAgent({ model: scriptedModel([]), prices })).toThrow(expect.objectContaining({ name: InvalidArgumentError.name, argument }) as Error);
    });
  });

  it("and the tokens of a session never fall and stay finite, whatever providers say and prices are", async () => {
    const figure = fc.oneof(fc.integer({ min: -1000, max: 10_000_000 }), fc.double(), fc.constantFrom(undefined, Number.MAX_VALUE, NaN));
    const usage = fc.record({ input: figure, output: figure, reasoning: figure, cacheRead: figure, cacheWrite: figure }, { requiredKeys: [] });
    const price = fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constantFrom(0, Number.MAX_VALUE));
    const prices = fc.record({ input: price, output: price, cacheRead: price, tiers: fc.array(fc.record({ above: fc.integer({ min: 1, max: 1_000_000 }), input: price, output: price }), { maxLength: 3 }) }, { requiredKeys: ["input", "output"] });
    await fc.assert(
      fc.asyncProperty(fc.array(usage, { minLength: 1, maxLength: 4 }), prices, async (usages, given) => {
        const replies = usages.map(({ input: total, output: all, reasoning, cacheRead, cacheWrite }) =>
          reply.chunks(
            [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: "Hello!" },
              { type: "text-end", id: "1" },
              { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage: { inputTokens: { total, noCache: undefined, cacheRead, cacheWrite }, outputTokens: { total: all, text: undefined, reasoning } } },
            ],
            { exact: true },
          ),
        );
        const { session } = await start(replies, { prices: given });
        let before = session.info;
        for (let turn = 0; turn < usages.length; turn += 1) {
          const result = await session.prompt("Hi");
          const after = session.info;
          expect(result.cost).toBeGreaterThanOrEqual(0);
          const figures = ({ cost, tokens: { input, output, reasoning, cache } }: typeof after): number[] => [cost, input, output, reasoning, cache.read, cache.write];
          for (const [index, value] of figures(after).entries()) {
            expect(Number.isFinite(value)).toBe(true);
            expect(value).toBeGreaterThanOrEqual(figures(before)[index] ?? NaN);
          }
          before = after;
        }
        await session.close();
      }),
      { numRuns: 40 },
    );
  });
});
