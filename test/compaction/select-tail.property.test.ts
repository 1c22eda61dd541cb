import fc from "fast-check";
import { expect, it } from "vitest";
import { isUnanswered } from "../../src/compaction/compaction-message.ts";
import { compactionPolicy } from "../../src/compaction/compaction-policy.ts";
import { estimateMessage } from "../../src/compaction/estimate-tokens.ts";
import { filterCompacted } from "../../src/compaction/filter-compacted.ts";
import { isProgress, sumTokens } from "../../src/compaction/is-progress.ts";
import { selectTail, type TailBudget, type TailChoice } from "../../src/compaction/select-tail.ts";
import type { WithParts } from "../../src/message/message.ts";
import type { ModelProfile } from "../../src/message/model-profile.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { anyHistory } from "../message/projection-arbitraries.ts";
import { answered, History, idsOf } from "./window-samples.ts";

/** Any history, with outcomes and parents as a session writes them. */
const anyTranscript = fc.tuple(anyHistory, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 })).map(([history, owed]) => {
  let parentID = "none";
  return history.map(({ info, parts }, index): WithParts => {
    if (info.role === "assistant") return { info: { ...info, parentID }, parts };
    parentID = info.id;
    return { info: { ...info, ...(owed[index] === true ? {} : answered) }, parts };
  });
});

const anyBudget: fc.Arbitrary<TailBudget> = fc.record({ turns: fc.nat(4), tokens: fc.oneof(fc.nat(100), fc.nat(5_000)), newestStep: fc.oneof(fc.nat(200), fc.nat(5_000)) });

const anyProfile = fc.constantFrom(...Object.values(modelProfiles));

const view = (stored: readonly WithParts[]): Promise<WithParts[]> => filterCompacted([...stored].reverse());

/** Ids of a provider's results in these messages, and of its calls that may have one later. */
function deferred(entries: readonly WithParts[], kind: "call" | "result"): string[] {
  return entries.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" && part.deferred === kind ? [part.callID] : [])));
}

function pairOf(choice: TailChoice, id: string): WithParts[] {
  return new History().compact(id, { tail_start_id: choice.tailStartID, kept: [...choice.kept] }, { text: "Sum." }).entries;
}

function expectSound(before: readonly WithParts[], { after, choice, profile }: { after: readonly WithParts[]; choice: TailChoice; profile: ModelProfile }): void {
  expect([...choice.head, ...choice.tail]).toEqual(before);
  const pair = after.slice(0, 2);
  expect(idsOf(after)).toEqual([...idsOf(pair), ...choice.kept, ...idsOf(choice.tail)]);
  // Verbatim: the very same objects.
  for (const prompt of before.filter(isUnanswered)) expect(after).toContain(prompt);
  for (const [index, entry] of choice.tail.entries()) {
    for (const callID of deferred([entry], "result")) {
      const isHere = deferred(choice.tail.slice(0, index + 1), "call").includes(callID);
      expect(isHere || !deferred(choice.head, "call").includes(callID)).toBe(true);
    }
  }
  expect(validateModelMessages(toModelMessages(after, profile), profile)).toEqual([]);
  const size = sumTokens(before, estimateMessage);
  const rest = sumTokens(after.slice(2), estimateMessage);
  expect(rest).toBeLessThanOrEqual(size * 0.9);
  expect(isProgress(before, after, estimateMessage)).toBe(rest + sumTokens(pair, estimateMessage) <= size * 0.9);
}

/** It cannot shrink: what could be summarised is next to nothing, beside unanswered prompts and what has been compacted. */
function expectStuck(before: readonly WithParts[]): void {
  const pair = before[1]?.info.role === "assistant" && before[1].info.summary === true ? 2 : 0;
  const open = before.slice(pair).filter((entry) => !isUnanswered(entry));
  expect(sumTokens(open, estimateMessage)).toBeLessThanOrEqual(sumTokens(before, estimateMessage) * 0.1);
}

it("any window, compacted again and again, keeps unanswered prompts and pairs, is a legal request, and shrinks or says that it cannot", async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, fc.array(fc.record({ length: fc.nat(8), budget: anyBudget }), { minLength: 1, maxLength: 3 }), anyProfile, async (transcript, rounds, profile) => {
      const stored: WithParts[] = [];
      const rest = [...transcript];
      for (const [round, { length, budget }] of rounds.entries()) {
        stored.push(...rest.splice(0, round === rounds.length - 1 ? rest.length : length));
        const before = await view(stored);
        const choice = selectTail(before, budget);
        if (choice === undefined) {
          expectStuck(before);
          continue;
        }
        stored.push(...pairOf(choice, `c${round}`));
        expectSound(before, { after: await view(stored), choice, profile });
      }
    }),
    { numRuns: 200 },
  );
});

it("so do windows of a session, whatever the limits", async () => {
  const limits = fc.option(fc.record({ context: fc.integer({ min: 1, max: 60_000 }), output: fc.integer({ min: 1, max: 60_000 }) }), { nil: undefined });
  const event = fc.record({ type: fc.constantFrom("prompt" as const, "step" as const, "answer" as const, "compact" as const), tokens: fc.oneof(fc.nat(50), fc.nat(6_000)) });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30 }), limits, fc.nat(30), anyProfile, async (events, known, owedFrom, profile) => {
      const history = new History();
      for (const [index, { type, tokens }] of events.entries()) {
        const [id, content] = [`m${index}`, "word".repeat(tokens)];
        if (type === "prompt") history.prompt(id, content, index >= owedFrom ? {} : answered);
        else if (type !== "compact") history[type](id, content);
        else {
          const before = await view(history.entries);
          const choice = compactionPolicy().selectTail(before, { limits: known, estimate: estimateMessage });
          if (choice === undefined) {
            expectStuck(before);
            continue;
          }
          history.compact(id, { tail_start_id: choice.tailStartID, kept: [...choice.kept] });
          expectSound(before, { after: await view(history.entries), choice, profile });
        }
      }
    }),
    { numRuns: 200 },
  );
});
