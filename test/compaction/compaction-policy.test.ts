import { describe, expect, it } from "vitest";
import { checkCompaction } from "../../src/compaction/compaction-options.ts";
import { compactionPolicy, type CompactionPolicy } from "../../src/compaction/compaction-policy.ts";
import { estimateMessage } from "../../src/compaction/estimate-tokens.ts";
import { measureContext } from "../../src/compaction/measure-context.ts";
import { summaryPrompt, summaryPrompts } from "../../src/compaction/summary-prompt.ts";
import { model } from "../message/projection-samples.ts";
import { History, idsOf, tokensOfText, usage } from "./window-samples.ts";

const context = { limits: { context: 200_000, output: 8_000 }, estimate: estimateMessage };
const own = { providerID: model.provider, modelID: model.modelId };

describe("the default policy", () => {
  const judge = (history: History, limits: typeof context.limits | undefined, policy: CompactionPolicy = compactionPolicy()): boolean =>
    policy.isOverflow(measureContext(history.entries, { model: own, limits, overhead: 0 }), limits);
  const hello = (tokens: Parameters<typeof usage>[0]): History => new History().owed("hi").answer("a", "hello", usage(tokens));

  it("R3: finds no overflow in a greeting to a model whose output limit is its context", () => {
    expect(judge(hello({ input: 280, output: 20 }), { context: 40_000, output: 40_000 })).toBe(false);
  });

  it("R15: finds one by what was written to the cache", () => {
    expect(judge(hello({ input: 10, write: 190_000, output: 500 }), context.limits, compactionPolicy({ reserve: 10_000 }))).toBe(true);
    expect(judge(hello({ input: 10, write: 190_000, output: 500 }), context.limits)).toBe(false);
  });

  it("R16: finds none in an absurd figure", () => {
    expect(judge(new History().owed("p", tokensOfText(20_000)).answer("a", "a", usage({ read: 10_000_000 })), { context: 128_000, output: 8_000 })).toBe(false);
  });

  it("finds none where the limits are not known", () => {
    expect(judge(hello({ input: 10_000_000 }), undefined)).toBe(false);
  });

  it("keeps a tail of 2,000 to 8,000 tokens, by the size of the window", () => {
    const history = new History().prompt("p0").answer("a0", tokensOfText(30_000)).prompt("p1").answer("a1", tokensOfText(4_000)).prompt("p2").answer("a2", tokensOfText(1_000));
    const tail = (limits: typeof context.limits | undefined, policy = compactionPolicy()): string[] =>
      idsOf(policy.selectTail(history.entries, { ...context, limits })?.tail ?? []);
    expect(tail(context.limits)).toEqual(["p1", "a1", "p2", "a2"]);
    expect(tail(undefined)).toEqual(["p1", "a1", "p2", "a2"]);
    expect(tail({ context: 10_000, output: 2_000 })).toEqual(["p2", "a2"]);
    expect(tail(context.limits, compactionPolicy({ tail: { turns: 1 } }))).toEqual(["p2", "a2"]);
    expect(tail(context.limits, compactionPolicy({ tail: { tokens: 500 } }))).toEqual([]);
  });

  it("can be changed in a part", () => {
    const policy: CompactionPolicy = { ...compactionPolicy(), isOverflow: ({ tokens }) => tokens > 100 };
    expect(judge(hello({ input: 101 }), undefined, policy)).toBe(true);
    expect(policy.choosePrune([], context)).toEqual({ parts: [], frees: 0 });
  });
});

describe("options", () => {
  it.each([
    [{ auto: 1 }, /compaction\.auto: expected true or false, got 1/],
    [{ reserve: -1 }, /compaction\.reserve: expected a whole number of at least 0/],
    [{ prune: true }, /compaction\.prune: expected "overflow", "turn-end" or false/],
    [{ tail: { turns: 1.5 } }, /compaction\.tail\.turns: expected a whole number/],
    [{ tail: { tokens: 0 } }, /compaction\.tail\.tokens: expected a whole number of at least 1/],
    [{ tail: 2 }, /compaction\.tail: expected an options object/],
    [{ prompt: "" }, /compaction\.prompt: expected a text, got an empty one/],
    [{ policy: { isOverflow: true } }, /compaction\.policy\.isOverflow: /],
    [{ policy: { shouldCompact: () => true } }, /compaction\.policy\.shouldCompact/],
    [{ model: {} }, /compaction\.model: there is no such option/],
  ])("%j are refused", (options, message) => {
    expect(() => {
      checkCompaction()(options, "compaction");
    }).toThrow(message);
  });

  it("that are right are taken, with those that another layer adds", () => {
    checkCompaction({ model: () => undefined })({ auto: false, reserve: 0, prune: false, tail: { turns: 0, tokens: 1 }, model: {}, prompt: "Sum up." }, "compaction");
    checkCompaction()({ policy: compactionPolicy(), prune: "turn-end" }, "compaction");
  });
});

it("a summary is asked for anew, or as an update of the one before it", () => {
  expect(summaryPrompt(new History().prompt("p").entries)).toBe(summaryPrompts.first);
  expect(summaryPrompt(new History().compact("c").prompt("p").entries)).toBe(summaryPrompts.update);
  expect(summaryPrompt(new History().compact("c").entries, "Sum up.")).toBe("Sum up.");
  for (const prompt of Object.values(summaryPrompts)) {
    for (const heading of ["Objective", "Important details", "Work state", "Completed", "Active", "Blocked", "Next move", "Relevant files"]) expect(prompt).toContain(`# ${heading}`);
  }
});
