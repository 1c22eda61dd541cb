import { describe, expect, it } from "vitest";
import { filterCompacted } from "../../src/compaction/filter-compacted.ts";
import type { WithParts } from "../../src/message/message.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { assistant, failed, text, user } from "../message/projection-samples.ts";
import { History, idsOf } from "./window-samples.ts";

const view = async (history: History): Promise<string[]> => idsOf(await filterCompacted(history.newestFirst));

/** Yields the entries and counts how many were asked for. */
function counted(entries: readonly WithParts[]): { pulls: number; closed: boolean; entries: AsyncIterable<WithParts> } {
  const reader = { pulls: 0, closed: false, entries: read() };
  async function* read(): AsyncGenerator<WithParts> {
    try {
      for (const entry of entries) {
        reader.pulls += 1;
        yield entry;
      }
    } finally {
      reader.closed = true;
    }
  }
  return reader;
}

const old = (): History => new History().prompt("p1").answer("a1").prompt("p2").answer("a2").prompt("p3").answer("a3");

describe("the window", () => {
  it("is everything, oldest first, when nothing was compacted", async () => {
    expect(await view(old())).toEqual(["p1", "a1", "p2", "a2", "p3", "a3"]);
    expect(await filterCompacted([])).toEqual([]);
  });

  it("begins with the compaction and its summary", async () => {
    expect(await view(old().compact("c").prompt("p4"))).toEqual(["c", "c_summary", "p4"]);
  });

  it("R14: has the summary of the head first, then the tail in its order, then what is new; roles are legal", async () => {
    const history = old().compact("c", { tail_start_id: "p2" }).prompt("p4");
    expect(await view(history)).toEqual(["c", "c_summary", "p2", "a2", "p3", "a3", "p4"]);
    const window = await filterCompacted(history.newestFirst);
    for (const profile of Object.values(modelProfiles)) expect(validateModelMessages(toModelMessages(window, profile), profile)).toEqual([]);
  });

  it("keeps prompts that are older than the tail, once each and in their order", async () => {
    const history = new History().owed("p1").step("s1", "1").owed("p2").step("s2", "2").step("s3", "3");
    history.compact("c", { tail_start_id: "s3", kept: ["p2", "p1", "s3"] }).step("s4", "4");
    expect(await view(history)).toEqual(["c", "c_summary", "p1", "p2", "s3", "s4"]);
  });

  it("takes a tail that begins in the middle of a turn", async () => {
    expect(await view(old().compact("c", { tail_start_id: "a2" }))).toEqual(["c", "c_summary", "a2", "p3", "a3"]);
  });

  it("begins with the newest of several compactions, and leaves the older ones out of its tail", async () => {
    const history = old().compact("c1", { tail_start_id: "p3" }).prompt("p4").answer("a4").compact("c2", { tail_start_id: "p3" }).prompt("p5");
    expect(await view(history)).toEqual(["c2", "c2_summary", "p3", "a3", "p4", "a4", "p5"]);
  });
});

describe("a compaction without a complete summary does not cut, and is not shown", () => {
  it.each([
    ["no finish", { finish: undefined }],
    ["an error", failed("overflow")],
    ["no text", { text: " \n" }],
    ["no summary mark", { summary: undefined }],
    ["another parent", { parentID: "p1" }],
  ])("%s", async (_name, summary) => {
    const shown = await view(old().compact("c", {}, summary).prompt("p4"));
    expect(shown.filter((id) => id !== "c_summary")).toEqual(["p1", "a1", "p2", "a2", "p3", "a3", "p4"]);
    // What is no summary at all stays what it is.
    expect(shown.includes("c_summary")).toBe("summary" in summary);
  });

  it("and the one before it still does", async () => {
    const history = old().compact("c1").prompt("p4").answer("a4").compact("c2", {}, { text: "" }).prompt("p5");
    expect(await view(history)).toEqual(["c1", "c1_summary", "p4", "a4", "p5"]);
  });

  it("a summary that stands before its compaction is none", async () => {
    const [compaction, summary] = new History().compact("c").entries;
    const history = old();
    for (const entry of [summary, compaction]) if (entry !== undefined) history.add(entry);
    expect(await view(history)).toEqual(["p1", "a1", "p2", "a2", "p3", "a3"]);
  });
});

describe("reading", () => {
  it.each([
    ["at the compaction message when there is no tail", {}, 4],
    ["at the first message of the tail", { tail_start_id: "a3" }, 5],
    ["at the oldest kept prompt", { tail_start_id: "a3", kept: ["p2"] }, 8],
    ["at the compaction message when the tail is newer than that", { tail_start_id: "p4" }, 4],
  ])("stops %s", async (_name, part, pulls) => {
    const reader = counted(old().compact("c", part).prompt("p4").answer("a4").newestFirst);
    await filterCompacted(reader.entries);
    expect(reader).toMatchObject({ pulls, closed: true });
  });

  it("goes on to the end for a tail that is missing: everything older is then the tail", async () => {
    const history = old().compact("c", { tail_start_id: "gone" }).prompt("p4");
    expect(await view(history)).toEqual(["c", "c_summary", "p1", "a1", "p2", "a2", "p3", "a3", "p4"]);
  });

  it("goes on to the end for a kept prompt that is missing: what was found counts", async () => {
    const history = old().compact("c", { tail_start_id: "p3", kept: ["gone", "p1"] }).prompt("p4");
    expect(await view(history)).toEqual(["c", "c_summary", "p1", "p3", "a3", "p4"]);
  });
});

describe("damage", () => {
  it("inside of messages is put up with", async () => {
    const broken = [null, 5, {}, { type: "tool" }, { type: "text" }] as unknown as WithParts["parts"];
    const history = old();
    history.add({ ...user([text("x")], { id: "broken" }), parts: broken });
    history.add({ ...assistant([text("x")], { id: "empty", summary: true }), parts: broken });
    history.compact("c", { kept: "p1", tail_start_id: "p3" } as never).prompt("p4");
    expect(await view(history)).toEqual(["c", "c_summary", "p3", "a3", "broken", "p4"]);
  });

  it("that leaves no message at all is refused: it would be lost in silence", async () => {
    const list = [...old().entries, { id: "msg", role: "user" } as unknown as WithParts];
    await expect(filterCompacted(list)).rejects.toThrow(/newestFirst\[6\]: expected a stored message/);
  });
});
