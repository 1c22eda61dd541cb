import { describe, expect, it } from "vitest";
import type { CompactionPolicy } from "throughline";
import { reply } from "throughline/testing";
import { eventsOfType, expectDone, start, textsIn } from "../session-under-test.ts";
import { summarizing, textOf } from "./compaction-under-test.ts";

const limits = { context: 10_000, output: 1_000 };
const fails = (): never => {
  throw new Error("a mistake");
};

/** A host's code, which may answer anything. */
function wrong(policy: Record<string, unknown>): Partial<CompactionPolicy> {
  return policy;
}

describe("a policy that is wrong", () => {
  it.each<[string, Partial<CompactionPolicy>]>([
    ["throws from usable", wrong({ usable: fails })],
    ["throws from isOverflow", wrong({ isOverflow: fails })],
    ["throws from choosePrune", wrong({ choosePrune: fails })],
    ["throws from selectTail", wrong({ selectTail: fails })],
    ["finds NaN usable", wrong({ usable: () => Number.NaN })],
    ["answers isOverflow with a promise", wrong({ isOverflow: async () => true })],
    ["prunes nothing that there is", wrong({ choosePrune: () => ({ parts: [{ type: "tool" }], frees: 1 }) })],
    ["prunes null", wrong({ choosePrune: () => null })],
    ["selects null", wrong({ selectTail: () => null })],
    ["selects a tail that is not the window's", wrong({ selectTail: () => ({ head: [{}], kept: [], tail: [], tailStartID: undefined }) })],
    ["summarises the prompt itself", wrong({ selectTail: (window: unknown) => ({ head: window, kept: [], tail: [], tailStartID: undefined }) })],
  ])("%s: the built-in one decides, and the log says so", async (_what, policy) => {
    const test = await start(summarizing((_request, count) => reply.text(`Answer ${count}.`)), { contextLimits: limits, compaction: { policy } });
    for (const letter of ["a", "b", "c"]) await test.session.prompt(textOf(2_500, letter));
    expect(await test.session.prompt(`Now this. ${textOf(2_000, "d")}`)).toMatchObject({ outcome: "answered", text: "Answer 4." });
    expect(eventsOfType(test.events, "session.compacted")).toHaveLength(1);
    expect(textsIn(test.model.requests.at(-1)).at(-1)).toMatch(/^user: Now this\. d+$/);
    expect(test.problems.some((problem) => problem.startsWith("compaction.policy."))).toBe(true);
    expectDone(test);
  });

  it("that never finds anything to do leaves requests as they are", async () => {
    const test = await start(() => reply.text("Fine."), { contextLimits: limits, compaction: { policy: wrong({ isOverflow: () => false }) } });
    for (const letter of ["a", "b", "c", "d", "e"]) await test.session.prompt(textOf(2_500, letter));
    expect(eventsOfType(test.events, "session.compacted")).toEqual([]);
    expect(test.problems).toEqual([]);
    expectDone(test);
  });
});

describe("limits that cannot be had", () => {
  it.each<[string, () => never]>([
    ["throw", fails],
    ["are rubbish", (() => ({ context: "large" })) as unknown as () => never],
    ["come as a promise", (async () => limits) as unknown as () => never],
  ])("because they %s count as unknown", async (_what, contextLimits) => {
    const test = await start(() => reply.text("Fine."), { contextLimits });
    expect(await test.session.prompt(textOf(20_000))).toMatchObject({ outcome: "answered" });
    expect(test.problems).toContain("The function of contextLimits failed: the model's limits count as unknown.");
    expectDone(test);
  });
});
