import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider";
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
    // R175, anomalyco/opencode#15293: the package has subtracted what was never in the total.
    ["a total that excludes what was cached", { total: 100, noCache: 100 - 84_000, cacheRead: 84_000 }, {}, [100, 84_000, 0, 0, 0]],
    ["the same, cut at 0", { total: 100, noCache: 0, cacheRead: 84_000 }, {}, [100, 84_000, 0, 0, 0]],
    ["the same, not subtracted", { total: 100, cacheRead: 84_000 }, {}, [100, 84_000, 0, 0, 0]],
    // R177, genkit-ai/genkit#5412
    ["the rest beside both kinds of cache", { total: 7, cacheRead: 9000, cacheWrite: 1000 }, {}, [7, 9000, 1000, 0, 0]],
    // R16, anomalyco/opencode#30649: what the provider said stays; whoever plans with it judges it.
    ["an absurd figure", { total: 20_000, noCache: 20_000, cacheRead: 10_000_000 }, {}, [20_000, 10_000_000, 0, 0, 0]],
    ["a bucket without a total", { noCache: 5, cacheRead: 60 }, { text: 3, reasoning: 4 }, [5, 60, 0, 3, 4]],
    ["xAI behind a compatible package: reasoning outside of the total", {}, { total: 2, text: 0, reasoning: 340 }, [0, 0, 0, 2, 340]],
    ["parts of tokens", { total: 1.5 }, { total: 0.25 }, [1.5, 0, 0, 0.25, 0]],
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

  it.each<[string, SharedV4ProviderMetadata, Input, [input: number, read: number, write: number]]>([
    ["Anthropic", { anthropic: { cacheCreationInputTokens: 300 } }, { total: 5000, cacheRead: 400 }, [5000, 400, 300]],
    ["Bedrock", { bedrock: { usage: { cacheWriteInputTokens: 300 } } }, { total: 5000, cacheRead: 400 }, [5000, 400, 300]],
    ["Anthropic, of specification V4", { anthropic: { cacheCreationInputTokens: 300 } }, { total: 5700, noCache: 5000, cacheRead: 400, cacheWrite: 300 }, [5000, 400, 300]],
    ["OpenAI", { openai: {} }, { total: 5000, cacheRead: 400 }, [4600, 400, 0]],
  ])("knows by their metadata which models of specification V2 count cached tokens apart: %s", (_what, metadata, input, [fresh, read, write]) => {
    expect(normalizeUsage(usage(input, {}), metadata)).toMatchObject({ input: fresh, cache: { read, write } });
  });

  it("takes only numbers for counts", () => {
    const wrong = { total: "100", noCache: 100n, cacheRead: {}, cacheWrite: null };
    // Models without types say anything.
    const said = { inputTokens: wrong, outputTokens: 7 } as unknown as LanguageModelV4Usage;
    expect(normalizeUsage(said)).toEqual({ input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } });
    expect(normalizeUsage({ inputTokens: null, outputTokens: undefined } as unknown as LanguageModelV4Usage)).toEqual(normalizeUsage(undefined));
  });

  it("gives finite figures, none negative, for any usage", () => {
    const figure = fc.option(fc.oneof(fc.integer(), fc.double()), { nil: undefined });
    fc.assert(
      fc.property(fc.tuple(figure, figure, figure, figure, figure, figure, figure), ([total, noCache, cacheRead, cacheWrite, all, text, reasoning]) => {
        const tokens = normalizeUsage(usage({ total, noCache, cacheRead, cacheWrite }, { total: all, text, reasoning }));
        const figures = [tokens.input, tokens.output, tokens.reasoning, tokens.cache.read, tokens.cache.write];
        expect(figures.every((value) => Number.isFinite(value) && value >= 0 && value <= Number.MAX_SAFE_INTEGER)).toBe(true);
      }),
    );
  });
});
