import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAgent, defineTool, memoryStorage } from "throughline";
import type { Storage } from "throughline";
import { sqliteStorage } from "throughline/storage/sqlite";
import { manualClock, reply, scriptedModel, strictModel } from "throughline/testing";
import type { ModelRequest } from "throughline/testing";
import { z } from "zod";
import { asksForSummary, summaryText } from "./compaction-under-test.ts";

/** One turn: how large the prompt is, how many results come of it, and what the session does next. */
interface TurnPlan {
  prompt: number;
  outputs: number[];
  text: string;
  then: "nothing" | "compact" | "steer";
}

const plan: fc.Arbitrary<TurnPlan> = fc.record({
  prompt: fc.integer({ min: 1, max: 6_000 }),
  outputs: fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 3 }),
  text: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== ""),
  then: fc.constantFrom("nothing", "nothing", "nothing", "compact", "steer"),
});

const read = defineTool({ description: "Reads.", input: z.object({ size: z.number(), call: z.number() }), execute: ({ size }) => "o".repeat(size) });

interface Lived {
  requests: string[];
  summaries: boolean[];
  changes: string[];
  cleared: number;
  totals: number[];
}

/** Lives through the plan with one agent, or with a new one for each turn: each must ask the same of the model. */
async function live(turns: readonly TurnPlan[], storage: Storage, clock: ReturnType<typeof manualClock>, { reopening, prune }: { reopening: boolean; prune: false | "overflow" }): Promise<Lived> {
  const lived: Lived = { requests: [], summaries: [], changes: [], cleared: 0, totals: [] };
  const agents = new Set<ReturnType<typeof createAgent>>();
  let current: TurnPlan | undefined;
  let step = 0;
  const script = (request: ModelRequest) => {
    lived.requests.push(JSON.stringify(request.prompt));
    lived.summaries.push(asksForSummary(request));
    if (asksForSummary(request)) return reply.text(summaryText);
    const size = current?.outputs[step];
    step += 1;
    // Ids that no other call of the session has, as a provider's.
    return size === undefined ? reply.text(`${current?.text} ${step}`) : reply.toolCall("read", { size, call: lived.requests.length }, { id: `call_${lived.requests.length}` });
  };
  const open = async () => {
    const model = strictModel(scriptedModel(script));
    const agent = createAgent({ model, storage, clock, tools: { read }, instructions: "Be brief.", contextLimits: { context: 8_000, output: 1_000 }, compaction: { prune }, checkPrefix: true, prices: { input: 1, output: 2 } });
    agents.add(agent);
    const session = await agent.session({ id: "ses_property" });
    session.on("request.changed", ({ reason, path }) => lived.changes.push(`${reason}: ${path}`));
    session.on("session.updated", ({ session: { tokens } }) => lived.totals.push(tokens.input + tokens.output));
    return { agent, session, model };
  };
  let opened = await open();
  for (const turn of turns) {
    current = turn;
    step = 0;
    const prompts = [opened.session.prompt("p".repeat(turn.prompt)).settled];
    if (turn.then === "steer") prompts.push(opened.session.prompt("And this.", { delivery: "steer" }).settled);
    await Promise.all(prompts);
    if (turn.then === "compact") await opened.session.compact().catch(() => undefined);
    expect(opened.model.violations).toEqual([]);
    if (!reopening) continue;
    await opened.agent.close();
    opened = await open();
  }
  for (const { parts } of await opened.session.messages()) for (const part of parts) if (part.type === "tool" && part.state.status === "completed" && part.state.time.compacted !== undefined) lived.cleared += 1;
  await opened.agent.close();
  return lived;
}

async function onMemory(turns: readonly TurnPlan[], how: { reopening: boolean; prune: false | "overflow" }): Promise<Lived> {
  const clock = manualClock(1_700_000_000_000);
  return live(turns, memoryStorage({ clock }), clock, how);
}

async function onSQLite(turns: readonly TurnPlan[], how: { reopening: boolean; prune: false | "overflow" }): Promise<Lived> {
  const directory = mkdtempSync(join(tmpdir(), "throughline-requests-"));
  const clock = manualClock(1_700_000_000_000);
  const storage = sqliteStorage(join(directory, "sessions.db"), { clock });
  try {
    return await live(turns, storage, clock, how);
  } finally {
    await storage.close();
    rmSync(directory, { recursive: true });
  }
}

describe("for any turns, with compaction", () => {
  it.each([
    { where: "memory", run: onMemory, numRuns: 40 },
    { where: "SQLite", run: onSQLite, numRuns: 15 },
  ])("requests built live are those built after reopening, and nothing changes outside of maintenance ($where)", async ({ run, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 6 }), fc.constantFrom<false | "overflow">(false, "overflow"), async (turns, prune) => {
        const lived = await run(turns, { reopening: false, prune });
        expect(lived.changes).toEqual([]);
        expect(lived.totals).toEqual([...lived.totals].sort((a, b) => a - b));
        // Told by the bytes, and not by the check: where nothing was cleared, only a summary begins anew.
        if (prune === false) {
          lived.requests.forEach((request, index) => {
            const before = lived.requests[index - 1];
            const isMaintained = lived.summaries[index] === true || lived.summaries[index - 1] === true;
            if (before !== undefined && !isMaintained) expect(request.startsWith(before.slice(0, -3))).toBe(true);
          });
        }
        const reopened = await run(turns, { reopening: true, prune });
        expect(reopened.requests).toEqual(lived.requests);
        expect(reopened.cleared).toBe(lived.cleared);
      }),
      { numRuns },
    );
  }, 120_000);
});
