import { describe, expect, it } from "vitest";
import { selectTail, type TailBudget, type TailChoice } from "../../src/compaction/select-tail.ts";
import { filterCompacted } from "../../src/compaction/filter-compacted.ts";
import { assistant, completed, text, tool } from "../message/projection-samples.ts";
import { History, idsOf, tokensOfText } from "./window-samples.ts";

const budget: TailBudget = { turns: 2, tokens: 8_000, newestStep: 20_000 };
const big = tokensOfText(30_000);

function shown(choice: TailChoice | undefined): unknown {
  return choice && { head: idsOf(choice.head), tail: idsOf(choice.tail), kept: choice.kept };
}
const select = (history: History, more: Partial<TailBudget> = {}): unknown => shown(selectTail(history.entries, { ...budget, ...more }));

const fourTurns = (): History => new History().prompt("p1", big).answer("a1").prompt("p2").answer("a2").prompt("p3").answer("a3").prompt("p4").answer("a4");

describe("whole turns stay", () => {
  it("the newest two", () => {
    expect(select(fourTurns())).toEqual({ head: ["p1", "a1", "p2", "a2"], tail: ["p3", "a3", "p4", "a4"], kept: [] });
  });

  it.each([
    [1, ["p4", "a4"]],
    [3, ["p2", "a2", "p3", "a3", "p4", "a4"]],
    [0, []],
  ])("or as many as the host wants: %i", (turns, tail) => {
    expect(select(fourTurns(), { turns })).toMatchObject({ tail });
  });

  it("as far as they fit", () => {
    const history = new History().prompt("p1", big).answer("a1").prompt("p2").answer("a2", tokensOfText(6_000)).prompt("p3").answer("a3", tokensOfText(3_000));
    expect(select(history)).toMatchObject({ tail: ["p3", "a3"] });
  });

  it("but not a part of an answered turn", () => {
    const history = new History().prompt("p1", big).answer("a1").prompt("p2").step("s1", big).answer("a2");
    expect(select(history)).toEqual({ head: ["p1", "a1", "p2", "s1", "a2"], tail: [], kept: [] });
  });
});

describe("the unanswered turn", () => {
  it("keeps its prompt, and its newest steps that fit", () => {
    const history = new History().prompt("p1").answer("a1").owed("p2").step("s1", big).step("s2", tokensOfText(3_000)).step("s3", tokensOfText(3_000));
    expect(select(history)).toEqual({ head: ["p1", "a1", "p2", "s1"], tail: ["s2", "s3"], kept: ["p2"] });
  });

  it("keeps results that no model has seen, even if they do not fit", () => {
    const history = new History().owed("p1").step("s1", big).step("s2", tokensOfText(15_000));
    expect(select(history)).toEqual({ head: ["p1", "s1"], tail: ["s2"], kept: ["p1"] });
    expect(select(history, { newestStep: 10_000 })).toEqual({ head: ["p1", "s1", "s2"], tail: [], kept: ["p1"] });
  });

  it("keeps all of its prompts, the large and the steering ones, too", () => {
    const history = new History().prompt("p0").answer("a0", big).owed("p1", big).step("s1", big).owed("p2", tokensOfText(9_000)).step("s2", "x");
    expect(select(history)).toEqual({ head: ["p0", "a0", "p1", "s1", "p2"], tail: ["s2"], kept: ["p1", "p2"] });
  });

  it("that is a prompt without steps stays whole, with the turn before it", () => {
    expect(select(fourTurns().owed("p5"))).toEqual({ head: ["p1", "a1", "p2", "a2", "p3", "a3"], tail: ["p4", "a4", "p5"], kept: [] });
  });
});

describe("when a tail would leave nothing to summarise", () => {
  it("there is none", () => {
    expect(select(new History().prompt("p1").answer("a1"))).toEqual({ head: ["p1", "a1"], tail: [], kept: [] });
    expect(select(new History().owed("p1").step("s1", "x"))).toEqual({ head: ["p1", "s1"], tail: [], kept: ["p1"] });
  });

  it("and where only unanswered prompts are left, nothing can be done", () => {
    expect(select(new History())).toBeUndefined();
    expect(select(new History().owed("p1", big))).toBeUndefined();
    expect(select(new History().prompt("p0").answer("a0").owed("p1", big))).toBeUndefined();
  });

  it("nor behind a compaction that has just been made", async () => {
    const history = new History().prompt("p0").answer("a0").owed("p1").compact("c", { kept: ["p1"] }, { text: big });
    expect(shown(selectTail(await filterCompacted(history.newestFirst), budget))).toBeUndefined();
  });
});

it("prompts that an earlier compaction kept are no part of a tail: what followed them was summarised", async () => {
  const history = new History().owed("p1").step("s1", big).step("s2", "x").compact("c", { tail_start_id: "s2", kept: ["p1"] }).step("s3", big).step("s4", "x");
  const window = await filterCompacted(history.newestFirst);
  expect(idsOf(window)).toEqual(["c", "c_summary", "p1", "s2", "s3", "s4"]);
  expect(shown(selectTail(window, budget))).toEqual({ head: ["c", "c_summary", "p1", "s2", "s3"], tail: ["s4"], kept: ["p1"] });
  expect(shown(selectTail(window, { ...budget, tokens: 100_000 }))).toMatchObject({ tail: [] });
});

it("nor once they are answered, however little they need", async () => {
  const history = new History().prompt("p1", big).step("s1", "x").prompt("p2").step("s2", big).answer("a2").compact("c", { tail_start_id: "a2", kept: ["p1", "p2"] }).owed("p3");
  const window = await filterCompacted(history.newestFirst);
  expect(idsOf(window)).toEqual(["c", "c_summary", "p1", "p2", "a2", "p3"]);
  expect(shown(selectTail(window, budget))).toEqual({ head: ["c", "c_summary", "p1", "p2"], tail: ["a2", "p3"], kept: [] });
});

it("a provider's call and its result in a later message are not parted", () => {
  const call = (deferred: "call" | "result") => tool("srv", completed("found"), { providerExecuted: true, deferred });
  const history = new History().owed("p1").step("s1", big);
  history.add(assistant([call("call")], { id: "s2", parentID: "p1" })).add(assistant([call("result"), text("and")], { id: "s3", parentID: "p1" }));
  expect(select(history)).toMatchObject({ tail: ["s2", "s3"] });
  // The newest step would fit alone.
  expect(select(history, { tokens: 30, newestStep: 30 })).toMatchObject({ tail: [], kept: ["p1"] });
});
