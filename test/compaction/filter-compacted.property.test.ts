import fc from "fast-check";
import { expect, it } from "vitest";
import { filterCompacted } from "../../src/compaction/filter-compacted.ts";
import type { WithParts } from "../../src/message/message.ts";
import type { CompactionPart } from "../../src/message/part.ts";
import { anyHistory } from "../message/projection-arbitraries.ts";
import { failed } from "../message/projection-samples.ts";
import { History, idsOf } from "./window-samples.ts";

const anyID = fc.oneof({ arbitrary: fc.nat(25).map((index) => `m${index}`), weight: 6 }, { arbitrary: fc.constant("gone"), weight: 1 });

const event = fc.oneof(
  { arbitrary: fc.constantFrom({ type: "prompt" as const }, { type: "owed" as const }, { type: "step" as const }, { type: "answer" as const }), weight: 8 },
  {
    arbitrary: fc.record({
      type: fc.constant("compact" as const),
      tail: fc.option(anyID, { nil: undefined }),
      kept: fc.option(fc.array(anyID, { maxLength: 3 }), { nil: undefined }),
      summary: fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, fc.constantFrom({ text: " " }, { finish: undefined }, failed("network"), { parentID: "m1" })),
    }),
    weight: 2,
  },
);

const anyTranscript = fc.array(event, { maxLength: 25 }).map((events) => {
  const history = new History();
  for (const item of events) {
    const id = `m${history.entries.length}`;
    if (item.type === "step") history.step(id, id);
    else if (item.type === "compact") history.compact(id, { tail_start_id: item.tail, kept: item.kept }, item.summary);
    else history[item.type](id);
  }
  return history.entries;
});

/** The same from the whole transcript, by the words of the rule. */
function reference(transcript: readonly WithParts[]): string[] {
  const marks = transcript.map(({ parts }) => parts.find((part): part is CompactionPart => part.type === "compaction"));
  const isCompaction = (index: number): boolean => marks[index] !== undefined;
  const isSummary = ({ info }: WithParts): boolean => info.role === "assistant" && info.summary === true;
  const summaryOf = (index: number): WithParts | undefined =>
    transcript.slice(index + 1).findLast((entry) => {
      const { info, parts } = entry;
      if (info.role !== "assistant" || !isSummary(entry) || info.parentID !== transcript[index]?.info.id) return false;
      return info.finish !== undefined && info.error === undefined && parts.some((part) => part.type === "text" && part.text.trim() !== "");
    });
  const at = transcript.findLastIndex((_, index) => isCompaction(index) && summaryOf(index) !== undefined);
  const shown = transcript.map((entry, index) => (isSummary(entry) || isCompaction(index) ? undefined : entry.info.id));
  const ids = (list: readonly (string | undefined)[]): string[] => list.filter((id) => id !== undefined);
  if (at === -1) return ids(shown);
  const { tail_start_id: tailID, kept = [] } = marks[at] ?? { tail_start_id: undefined };
  const all = idsOf(transcript);
  const start = tailID === undefined || all.indexOf(tailID) >= at ? at : Math.max(0, all.indexOf(tailID));
  const older = shown.slice(0, start).map((id) => (id !== undefined && kept.includes(id) ? id : undefined));
  return [all[at] ?? "", summaryOf(at)?.info.id ?? "", ...ids(older), ...ids(shown.slice(start, at)), ...ids(shown.slice(at))];
}

it("equals a reading of the whole transcript, whatever the boundaries, tails and kept prompts", async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, async (transcript) => {
      expect(idsOf(await filterCompacted([...transcript].reverse()))).toEqual(reference(transcript));
    }),
    { numRuns: 1000 },
  );
});

it("reads back to the oldest message that is wanted, and no further", async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, async (transcript) => {
      let pulls = 0;
      const newestFirst = [...transcript].reverse();
      function* reading(): Generator<WithParts> {
        for (const entry of newestFirst) {
          pulls += 1;
          yield entry;
        }
      }
      const [first, ...rest] = idsOf(await filterCompacted(reading()));
      const all = idsOf(transcript);
      const part = transcript[all.indexOf(first ?? "")]?.parts.find((part): part is CompactionPart => part.type === "compaction");
      const wanted = part === undefined ? undefined : [first ?? "", ...(part.kept ?? []), ...(part.tail_start_id === undefined ? [] : [part.tail_start_id])];
      const oldest = wanted === undefined ? 0 : Math.max(0, Math.min(...wanted.map((id) => all.indexOf(id))));
      expect(pulls).toBe(transcript.length - oldest);
      expect(rest).toHaveLength(new Set(rest).size);
    }),
    { numRuns: 500 },
  );
});

it("is what it was before the newest messages came, once a revert or a fork leaves them out", async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, fc.nat(25), async (transcript, length) => {
      const before = transcript.slice(0, length);
      const after = structuredClone(transcript).reverse().slice(Math.max(0, transcript.length - length));
      expect(idsOf(await filterCompacted(after))).toEqual(idsOf(await filterCompacted([...before].reverse())));
    }),
    { numRuns: 300 },
  );
});

it("is total, and changes nothing, for any history", async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (history) => {
      const copy = structuredClone(history);
      const view = await filterCompacted([...history].reverse());
      expect(history).toEqual(copy);
      for (const entry of view) expect(history).toContain(entry);
    }),
    { numRuns: 100 },
  );
});
