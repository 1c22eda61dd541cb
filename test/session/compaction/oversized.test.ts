import { describe, expect, it } from "vitest";
import { defineTool } from "throughline";
import type { WithParts } from "throughline";
import { reply, scriptedModel, strictModel } from "throughline/testing";
import type { ModelRequest } from "throughline/testing";
import { z } from "zod";
import { expectDone, rolesIn, start, textsIn } from "../session-under-test.ts";
import { asksForSummary, summarizing, summaryText, textOf } from "./compaction-under-test.ts";

const limits = { context: 10_000, output: 1_000 };
const readTool = (output: string) => defineTool({ description: "Reads.", input: z.object({}), execute: () => output });

function tokensOf({ prompt, tools }: ModelRequest): number {
  return JSON.stringify([prompt, tools]).length / 4;
}

/** Nothing is cut when a call settles: as a host may want it, and as other programs have stored it. */
const toolOutput = { maxLines: 1_000_000, maxBytes: 2_000_000 };

describe("a tool result that can never fit", () => {
  it.each([
    ["of the first step", 1],
    ["of a later step", 3],
  ])("%s is summarised before the call: the turn goes on, and no request is larger than the window", async (_which, at) => {
    let reads = 0;
    const read = defineTool({ description: "Reads.", input: z.object({}), execute: () => ((reads += 1) === at ? "x".repeat(1_000_000) : "small") });
    const test = await start(summarizing((_request, count) => (count <= at ? reply.toolCall("read", {}) : reply.text("Read."))), { contextLimits: limits, tools: { read }, toolOutput });
    expect(await test.session.prompt("Read the log.")).toMatchObject({ outcome: "answered", text: "Read.", steps: at + 1 });
    const summary = test.model.requests.find(asksForSummary);
    expect(JSON.stringify(summary?.prompt)).toContain("characters left out");
    for (const request of test.model.requests) expect(tokensOf(request)).toBeLessThan(limits.context);
    expect(textsIn(test.model.requests.at(-1))).toContain("user: Read the log.");
    // What the tool said stays stored.
    const outputs = (await test.session.messages()).flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" && part.state.status === "completed" ? [part.state.output.length] : [])));
    expect(outputs).toContain(1_000_000);
    expectDone(test);
  });

  it("is cut after a refusal, where no limits are known", async () => {
    const script = (request: ModelRequest) => {
      if (tokensOf(request) > limits.context) return reply.error(Object.assign(new Error("prompt is too long: 250000 tokens > 10000 maximum"), { statusCode: 400 }));
      if (asksForSummary(request)) return reply.text(summaryText);
      return rolesIn(request).length === 1 ? reply.toolCall("read", {}) : reply.text("Read.");
    };
    const test = await start(script, { tools: { read: readTool("x".repeat(1_000_000)) }, toolOutput });
    expect(await test.session.prompt("Read the log.")).toMatchObject({ outcome: "answered", text: "Read." });
    expectDone(test);
  });
});

describe("a summary request", () => {
  it("leaves the oldest messages out where even short outputs do not fit, and says so", async () => {
    const small = strictModel(scriptedModel([reply.text(summaryText)], { modelId: "small" }));
    const contextLimits = ({ modelID }: { modelID: string }) => (modelID === "small" ? { context: 4_000, output: 500 } : { context: 100_000, output: 1_000 });
    const test = await start(() => reply.text("Fine."), { contextLimits, compaction: { model: small, tail: { turns: 0 } } });
    for (const letter of ["a", "b", "c", "d", "e"]) await test.session.prompt(`${letter} ${textOf(1_000, letter)}`);
    expect(await test.session.compact()).toBeDefined();
    const [request] = small.requests;
    expect(request && tokensOf(request)).toBeLessThan(4_000);
    const texts = textsIn(request);
    expect(texts.at(-1)).toMatch(/^user: \[Context: \d+ messages are missing above, because they do not fit\.\]/);
    expect(texts.some((text) => text.startsWith("user: e"))).toBe(true);
    expect(texts.some((text) => text.startsWith("user: a"))).toBe(false);
    expectDone(test);
  });

  it("is not made where nothing would fit", async () => {
    const policy = { selectTail: (window: readonly WithParts[]) => ({ head: window.slice(0, 1), kept: [], tail: window.slice(1), tailStartID: window[1]?.info.id }) };
    const small = scriptedModel([], { modelId: "small" });
    const contextLimits = ({ modelID }: { modelID: string }) => (modelID === "small" ? { context: 2_000, output: 500 } : undefined);
    const test = await start(() => reply.text("Fine."), { contextLimits, compaction: { model: small, policy } });
    await test.session.prompt(textOf(5_000));
    await expect(test.session.compact()).rejects.toMatchObject({ code: "compaction-failed", error: { code: "overflow" } });
    expect(small.calls).toBe(0);
    expectDone(test);
  });
});

describe("a model for summaries that fails", () => {
  it.each(["cannot be loaded", "is down"])("because it %s leaves the step to the reserve, and then ends the turn with a typed error", async (why) => {
    const model = why === "is down" ? scriptedModel(() => reply.error(new Error("down"))) : "no-such-provider/no-such-model";
    const test = await start(() => reply.text("Answer."), { contextLimits: { context: 10_000, output: 4_000 }, compaction: { model } });
    await test.session.prompt(textOf(4_000));
    expect(await test.session.prompt(textOf(3_000, "y"))).toMatchObject({ outcome: "answered" });
    expect(await test.session.prompt(textOf(5_000, "z")).settled).toMatchObject({ outcome: "error", error: { code: "overflow" } });
    expectDone(test);
  });
});
