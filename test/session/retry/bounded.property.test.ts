import { APICallError } from "@ai-sdk/provider";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createAgent, memoryStorage } from "throughline";
import { manualClock, reply, scriptedModel, strictModel, type Reply, type ScriptedModel } from "throughline/testing";
import { eventsOfType, echoTool } from "../session-under-test.ts";
import type { SessionEvent } from "throughline";
import { asksForSummary } from "../compaction/compaction-under-test.ts";

function refusal(statusCode: number, message: string, headers: Record<string, string> = {}): Reply {
  return reply.error(new APICallError({ message, url: "https://acme.test", requestBodyValues: {}, statusCode, responseHeaders: headers }));
}

const said: fc.Arbitrary<Reply> = fc.oneof(
  fc.constantFrom(400, 401, 402, 404, 408, 409, 413, 429, 500, 503, 529).map((status) => refusal(status, "refused")),
  fc.constantFrom("0", "3", "0.5", "29", "99999", "-1", "soon").map((after) => refusal(429, "slow down", { "retry-after": after })),
  fc.constant(refusal(400, "prompt is too long: 200001 tokens > 200000 maximum")),
  fc.constantFrom<Reply>(
    reply.error(new Error("boom")),
    reply.error(new TypeError("fetch failed")),
    [reply.text("Half"), reply.cut()],
    [reply.text("Half"), reply.stall()],
    [reply.text("Half"), reply.error({ type: "overloaded_error" }, { inStream: "part" })],
    [reply.toolCall("echo", { text: "a" }), reply.error({ type: "overloaded_error" })],
    [reply.finish("stop")],
    [reply.finish("other")],
    reply.reasoning("Hm."),
    reply.text("Cut", { finish: "length" }),
    [reply.finish("length")],
    reply.text("No.", { finish: "content-filter" }),
    reply.toolCall("echo", { text: "b" }),
    reply.toolCall("nothing"),
    reply.text("Done."),
  ),
);

/** Answers with what was drawn, over and over. */
function modelOf(script: readonly Reply[], modelId: string): ScriptedModel {
  return scriptedModel((_request, index) => script[index % script.length] ?? reply.text("Done."), { provider: "acme", modelId });
}

it("for any models the calls of a turn are bounded by the limits, it has one outcome, and nothing is left behind", async () => {
  const scripts = fc.array(fc.array(said, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 });
  const budget = fc.option(fc.constantFrom(1, 200, 2_000), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(scripts, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), budget, async (drawn, maxSteps, maxAttempts, tokens) => {
      const clock = manualClock(1_700_000_000_000);
      const [first, ...others] = drawn.map((script, index) => modelOf(script, `model-${index}`));
      if (first === undefined) return;
      const models = [first, ...others].map((model) => strictModel(model));
      const [model = first, ...fallbackModels] = models;
      const agent = createAgent({ model, fallbackModels, clock, storage: memoryStorage({ clock }), tools: { echo: echoTool().echo }, maxSteps, retry: { maxAttempts }, budget: { tokens } });
      const session = await agent.session();
      const events: SessionEvent[] = [];
      session.on("*", (event) => events.push(event));
      let isSettled = false;
      const turn = session.prompt("Hi").settled.finally(() => (isSettled = true));
      while (!isSettled) await clock.runAll();
      const result = await turn;

      const requests = models.flatMap((each) => each.requests);
      const summaries = requests.filter(asksForSummary).length;
      // Two summaries in a row, each at full and at reduced length, may stand between two steps.
      const stepCalls = maxAttempts * models.length;
      expect(requests.length - summaries).toBeLessThanOrEqual(stepCalls * (maxSteps + 2));
      expect(summaries).toBeLessThanOrEqual(2 * (maxSteps + 1) * maxAttempts);
      expect(eventsOfType(events, "turn.finished")).toHaveLength(1);
      expect(result.outcome).toMatch(/^(answered|error|limit)$/);
      expect(session.status).toEqual({ type: "idle" });
      expect(clock.pending()).toBe(0);
      expect(models.flatMap((each) => each.violations)).toEqual([]);
      // What is stored is what the result shows: no failed attempt but the last.
      const stored = (await session.messages()).filter(({ info }) => info.role === "assistant" && info.summary !== true);
      expect(stored.slice(-result.messages.length || Infinity)).toEqual(result.messages);
      expect(result.messages.slice(0, -1).filter(({ info }) => info.error !== undefined)).toEqual([]);
    }),
    { numRuns: 100 },
  );
}, 60_000);
