import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeUsage } from "../../src/model/normalize-usage.ts";

type Input = Partial<LanguageModelV4Usage["inputTokens"]>;
type Output = Partial<LanguageModelV4Usage["outputTokens"]>;

const usage = (input: Input, output: Output): LanguageModelV4Usage => ({
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined, ...input },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined, ...output },
});

describe("normalizeUsage", () => {
  it.each<[string, Input, Output, [input: number, read: number, write: number, output: number, reasoning: number]]>([
    ["nothing stated", {}, {}, [0, 0, 0, 0, 0]],
    ["totals alone", { total: 100 }, { total: 20 }, [100, 0, 0, 20, 0]],
    ["a total that includes what was cached", { total: 100, cacheRead: 60, cacheWrite: 10 }, {}, [30, 60, 10, 0, 0]],
    ["a bucket that is given wins over one that is computed", { total: 100, noCache: 100, cacheRead: 60 }, {}, [100, 60, 0, 0, 0]],
    ["a total smaller than its cached part", { total: 10, cacheRead: 60 }, {}, [0, 60, 0, 0, 0]],
    ["a total that includes reasoning", {}, { total: 50, reasoning: 30 }, [0, 0, 0, 20, 30]],
    ["a total without reasoning", {}, { total: 20, reasoning: 30 }, [0, 0, 0, 20, 30]],
    ["text and reasoning apart", {}, { total: 50, text: 20, reasoning: 30 }, [0, 0, 0, 20, 30]],
    ["negative and broken figures", { total: -5, noCache: NaN, cacheRead: Infinity, cacheWrite: -1 }, { total: NaN, text: -3, reasoning: -Infinity }, [0, 0, 0, 0, 0]],
  ])("%s", (_what, input, output, [fresh, read, write, text, reasoning]) => {
    expect(normalizeUsage(usage(input, output))).toEqual({ input: fresh, output: text, reasoning, cache: { read, write } });
  });

  it("takes a provider that states no usage at all", () => {
    expect(normalizeUsage(undefined)).toEqual({ input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } });
  });

  it("gives finite figures, none negative, for any usage", () => {
    const figure = fc.option(fc.oneof(fc.integer(), fc.double()), { nil: undefined });
    fc.assert(
      fc.property(fc.tuple(figure, figure, figure, figure, figure, figure, figure), ([total, noCache, cacheRead, cacheWrite, all, text, reasoning]) => {
        const tokens = normalizeUsage(usage({ total, noCache, cacheRead, cacheWrite }, { total: all, text, reasoning }));
        const figures = [tokens.input, tokens.output, tokens.reasoning, tokens.cache.read, tokens.cache.write];
        expect(figures.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
      }),
    );
  });
});
