import { describe, expect, it } from "vitest";
import { choosePrune, isPruneEnough, markCompacted, type PruneChoice } from "../../src/compaction/prune.ts";
import { filterCompacted } from "../../src/compaction/filter-compacted.ts";
import { estimateMessage } from "../../src/compaction/estimate-tokens.ts";
import { assistant, completed, errored, running, tool } from "../message/projection-samples.ts";
import { History, tokensOfText } from "./window-samples.ts";

const turn = (history: History, name: string, ...outputs: number[]): History => {
  history.prompt(`p${name}`);
  outputs.forEach((tokens, index) => history.step(`${name}${index}`, tokensOfText(tokens)));
  return history;
};
const callIDs = ({ parts }: PruneChoice): string[] => parts.map(({ callID }) => callID);

describe("the outputs that are cleared", () => {
  it("are the oldest ones: not those of the newest two turns, nor the newest 40,000 tokens", () => {
    const history = turn(turn(turn(turn(new History(), "a", 30_000, 10_000), "b", 20_000), "c", 15_000), "d", 15_000);
    const choice = choosePrune(history.entries, 168_000);
    expect(callIDs(choice)).toEqual(["call_b0", "call_a1", "call_a0"]);
    expect(choice.frees).toBeGreaterThan(59_900);
    expect(choice.frees).toBeLessThan(60_000);
    expect(callIDs(choosePrune(history.entries))).toEqual(callIDs(choice));
  });

  it("are none of the newest two turns, however large these are", () => {
    expect(choosePrune(turn(turn(new History(), "a", 90_000), "b", 90_000).entries, 168_000)).toEqual({ parts: [], frees: 0 });
  });

  it("are a share of a small window: the newest 40 % stay, and less than 20 % is not worth it", () => {
    const history = turn(turn(turn(turn(new History(), "a", 1_900), "b", 100), "c", 3_000), "d", 1_000);
    expect(choosePrune(history.entries, 10_000).parts).toEqual([]);
    expect(callIDs(choosePrune(turn(turn(turn(turn(new History(), "a", 1_900), "b", 200), "c", 3_000), "d", 1_000).entries, 10_000))).toEqual(["call_b0", "call_a0"]);
  });

  it("are all or nothing: a little is not worth a new prefix", () => {
    const history = turn(turn(turn(new History(), "a", 19_000), "b", 30_000), "c", 30_000);
    expect(choosePrune(history.entries, 168_000).parts).toEqual([]);
  });

  it("are results of calls that ran here and ended well, and not cleared already", () => {
    const output = tokensOfText(30_000);
    const history = new History().prompt("p0").add(
      assistant([
        tool("ok", completed(output)),
        tool("cleared", completed(output, { time: { start: 0, end: 1, compacted: 2 } })),
        tool("failed", errored(output)),
        tool("running", running),
        tool("provider", completed(output), { providerExecuted: true }),
        tool("small", completed("done")),
      ]),
    );
    turn(turn(history, "b", 40_000), "c");
    expect(callIDs(choosePrune(history.entries, 168_000))).toEqual(["ok"]);
  });

  it("are none before the last summary", async () => {
    const history = turn(turn(new History(), "a", 50_000), "b", 50_000).compact("c", { tail_start_id: "pb" });
    turn(turn(turn(history, "d"), "e", 20_000), "f", 20_000);
    const window = await filterCompacted(history.newestFirst);
    expect(callIDs(choosePrune(window, 168_000))).toEqual(["call_b0"]);
  });
});

it("a mark changes nothing but what the model is shown", () => {
  const [part] = choosePrune(turn(turn(turn(new History(), "a", 50_000), "b", 30_000), "c", 30_000).entries).parts;
  if (part === undefined) throw new Error("Nothing to clear.");
  const marked = markCompacted(part, 99);
  expect(marked).toEqual({ ...part, state: { ...part.state, time: { start: 0, end: 1, compacted: 99 } } });
  expect(part.state.time.compacted).toBeUndefined();
  expect(estimateMessage(assistant([marked])).total).toBeLessThan(50);
});

it("is enough when it leaves a fifth of the usable window free", () => {
  const measure = { tokens: 100_000, source: "usage" as const, correction: 1 };
  const choice = { parts: [], frees: 25_000 };
  expect(isPruneEnough(measure, choice, 100_000)).toBe(true);
  expect(isPruneEnough(measure, { ...choice, frees: 20_000 }, 100_000)).toBe(false);
  expect(isPruneEnough({ ...measure, correction: 0.5 }, choice, 100_000)).toBe(false);
  expect(isPruneEnough(measure, choice, undefined)).toBe(false);
  expect(isPruneEnough({ ...measure, tokens: 10 }, { parts: [], frees: 0 }, 100_000)).toBe(false);
});
