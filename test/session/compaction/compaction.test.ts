import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { createAgent, defineTool } from "throughline";
import type { ContextLimits, WithParts } from "throughline";
import { manualClock, reply, scriptedModel, strictModel } from "throughline/testing";
import type { ModelRequest } from "throughline/testing";
import { z } from "zod";
import { eventsOfType, expectDone, nextEvent, rolesIn, start, textsIn } from "../session-under-test.ts";
import { asksForSummary, summarizing, summaryText, textOf } from "./compaction-under-test.ts";

const limits: ContextLimits = { context: 10_000, output: 1_000 };

function overflow(message = "prompt is too long: 250000 tokens > 200000 maximum"): APICallError {
  return new APICallError({ message, url: "https://example.test", requestBodyValues: {}, statusCode: 400, isRetryable: false });
}

function typesOf(messages: readonly WithParts[]): string[] {
  return messages.map(({ info, parts }) => `${info.role}${"summary" in info && info.summary === true ? " summary" : ""}: ${parts.map(({ type }) => type).join(" ")}`);
}

/** A read tool whose output is so many estimated tokens. */
const readTool = (tokens: number) => defineTool({ description: "Reads.", input: z.object({ path: z.string() }), execute: ({ path }) => `${path} ${textOf(tokens)}` });

describe("a request that would be too large", () => {
  it("is made room for: all but the newest turns is summarised, and the prompt is answered", async () => {
    const test = await start(summarizing((_request, count) => reply.text(`Answer ${count}.`)), { contextLimits: limits });
    for (const letter of ["a", "b", "c"]) await test.session.prompt(textOf(2_500, letter));
    const { text, outcome, steps } = await test.session.prompt(`Now this. ${textOf(2_000, "d")}`);
    expect({ text, outcome, steps }).toEqual({ text: "Answer 4.", outcome: "answered", steps: 1 });
    const [summary, step] = test.model.requests.slice(-2);
    expect(asksForSummary(summary as ModelRequest)).toBe(true);
    // The tail budget is 2,250 tokens: the newest prompt alone.
    const texts = textsIn(step);
    expect(texts[0]).toMatch(/^user: \[Context: a summary of the earlier conversation follows\.\]$/);
    expect(texts[1]).toBe(`assistant: ${summaryText}`);
    expect(texts[2]).toMatch(/^user: Now this\. d+$/);
    expect(texts).toHaveLength(3);
    const [compacted] = eventsOfType(test.events, "session.compacted");
    const messages = await test.session.messages();
    expect(messages.find(({ info }) => info.id === compacted?.messageID)?.parts).toMatchObject([{ type: "compaction", auto: true }]);
    expect(eventsOfType(test.events, "session.status").map(({ status }) => status.type).slice(-4)).toEqual(["busy", "compacting", "busy", "idle"]);
    expectDone(test);
  });

  it("asks for the summary with the same system text, tools and beginning, and may call nothing", async () => {
    const test = await start(summarizing((_request, count) => (count === 1 ? reply.toolCall("read", { path: "a" }) : reply.text("Done."))), {
      contextLimits: limits,
      compaction: { prune: false },
      instructions: "Be brief.",
      tools: { read: readTool(4_000) },
    });
    await test.session.prompt(`Read it. ${textOf(1_000)}`);
    await test.session.prompt(textOf(6_000, "y"));
    const [before, summary] = test.model.requests.slice(-3);
    expect(summary?.tools).toEqual(before?.tools);
    expect(summary?.toolChoice).toEqual({ type: "none" });
    // The request before it ends with the results; what follows is its answer, and the question.
    expect(JSON.stringify(summary?.prompt).startsWith(JSON.stringify(before?.prompt).slice(0, -1))).toBe(true);
    expectDone(test);
  });

  it("has old tool outputs cleared first, which stay stored", async () => {
    const script = summarizing((request) => (rolesIn(request).at(-1) === "tool" ? reply.text("Read.") : reply.toolCall("read", { path: "a" })));
    const test = await start(script, { contextLimits: { context: 12_000, output: 1_000 }, tools: { read: readTool(2_500) } });
    for (let turn = 0; turn < 5; turn += 1) await test.session.prompt(`Turn ${turn}`);
    expect(test.model.requests.some(asksForSummary)).toBe(false);
    const cleared = JSON.stringify(test.model.requests.at(-1)?.prompt).split("[Old tool result content cleared]").length - 1;
    expect(cleared).toBeGreaterThan(0);
    const outputs = (await test.session.messages()).flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" && part.state.status === "completed" ? [part.state] : [])));
    expect(outputs.every(({ output }) => output.length > 10_000)).toBe(true);
    expect(outputs.filter(({ time }) => time.compacted !== undefined)).toHaveLength(cleared);
    expectDone(test);
  });

  it("is made room for in the midst of a turn: the prompt stays as it was, and the steps are summarised", async () => {
    const test = await start(summarizing((_request, count) => (count < 8 ? reply.toolCall("read", { path: `file ${count}` }) : reply.text("All read."))), { contextLimits: limits, tools: { read: readTool(1_500) } });
    const { outcome, steps } = await test.session.prompt("Read everything.");
    expect({ outcome, steps }).toEqual({ outcome: "answered", steps: 8 });
    const last = test.model.requests.at(-1);
    expect(textsIn(last).filter((text) => text === "user: Read everything.")).toHaveLength(1);
    expect(textsIn(last)[1]).toBe(`assistant: ${summaryText}`);
    expect(textsIn(last)[2]).toBe("user: Read everything.");
    expectDone(test);
  });

  it("that nothing can make smaller ends the turn before the call, with an error that says so", async () => {
    const test = await start([], { contextLimits: limits });
    const result = await test.session.prompt(textOf(20_000)).settled;
    expect(result).toMatchObject({ outcome: "error", error: { code: "overflow" } });
    expect(result.outcome === "error" && result.error.message).toMatch(/about \d+ tokens, and the model takes 10000/);
    expectDone(test);
  });

  it("is not sent above the window when the summary is empty; nothing is stored of it (R7)", async () => {
    const test = await start((request) => (asksForSummary(request) ? reply.finish("stop") : reply.text("Answer.")), { contextLimits: limits });
    await test.session.prompt(textOf(6_000));
    const before = await test.session.messages();
    const result = await test.session.prompt(textOf(5_000, "y")).settled;
    expect(result).toMatchObject({ outcome: "error", error: { code: "overflow" } });
    expect(test.model.requests).toHaveLength(2);
    expect(typesOf(await test.session.messages())).toEqual([...typesOf(before), "user: text"]);
    expectDone(test);
  });

  it("uses the reserve when a summary fails and the request still fits", async () => {
    const test = await start((request) => (asksForSummary(request) ? reply.error(new Error("no")) : reply.text("Answer.")), { contextLimits: { context: 10_000, output: 4_000 } });
    await test.session.prompt(textOf(4_000));
    expect(await test.session.prompt(textOf(3_000, "y"))).toMatchObject({ outcome: "answered" });
    expect(test.model.requests.map(asksForSummary)).toEqual([false, true, false]);
    expectDone(test);
  });

  it("does not compact a greeting where the declared output is as large as the window (R3)", async () => {
    const test = await start([[reply.text("hello"), reply.usage({ input: 290, output: 10 })]], { contextLimits: { context: 40_000, output: 40_000 } });
    await test.session.prompt("hi");
    expectDone(test);
  });

  it("counts tokens that were written to the cache (R15)", async () => {
    const usage = reply.usage({ input: 10, output: 500, cache: { write: 190_000 } });
    const test = await start(summarizing((_request, count) => (count === 1 ? [reply.text("One."), usage] : reply.text("Two."))), { contextLimits: { context: 200_000, output: 16_000 } });
    await test.session.prompt(textOf(100_000));
    await test.session.prompt("more");
    expect(test.model.requests.map(asksForSummary)).toEqual([false, true, false]);
    expectDone(test);
  });

  it("is not read out of a figure larger than the window for a request that was accepted (R16)", async () => {
    const usage = reply.usage({ input: 20_000, output: 10, cache: { read: 10_000_000 } });
    const test = await start([[reply.text("One."), usage], reply.text("Two.")], { contextLimits: { context: 128_000, output: 8_000 } });
    await test.session.prompt(textOf(20_000));
    await test.session.prompt("more");
    expectDone(test);
  });

  it("is found by estimates where the provider counts nothing (R18)", async () => {
    const test = await start(summarizing(() => [reply.text("Ok."), reply.usage({})]), { contextLimits: { context: 32_000, output: 4_000 } });
    for (let turn = 0; turn < 20; turn += 1) await test.session.prompt(textOf(5_000, "z"));
    for (const request of test.model.requests) expect(JSON.stringify(request.prompt).length / 4).toBeLessThan(32_000);
    expect(test.model.requests.filter(asksForSummary).length).toBeGreaterThan(2);
    expectDone(test);
  });
});

describe("an answered turn", () => {
  it("is not continued because its history is over the limit (R13)", async () => {
    let runs = 0;
    const write = defineTool({ description: "Writes.", input: z.object({}), execute: () => `written ${(runs += 1)}` });
    const test = await start([reply.toolCall("write"), [reply.text("done"), reply.usage({ input: 9_900, output: 50 })]], { contextLimits: limits, tools: { write } });
    expect(await test.session.prompt("Write it.")).toMatchObject({ outcome: "answered", text: "done" });
    expect(runs).toBe(1);
    expectDone(test);
  });
});

describe("a provider's refusal of a request as too large", () => {
  it("is answered by a summary and the same step again, with the prompt as it was", async () => {
    let refused = 0;
    const test = await start(summarizing((_request, count) => (count === 3 && (refused += 1) === 1 ? reply.error(overflow()) : reply.text(`Answer ${count}.`))));
    await test.session.prompt("one");
    await test.session.prompt(textOf(20_000));
    const { outcome, steps, messages } = await test.session.prompt("three");
    expect({ outcome, steps }).toEqual({ outcome: "answered", steps: 1 });
    expect(messages[0]?.info).toMatchObject({ step: 1, attempt: 2 });
    expect(textsIn(test.model.requests.at(-1)).at(-1)).toBe("user: three");
    expect(eventsOfType(test.events, "step.dropped")).toMatchObject([{ error: { code: "overflow" } }]);
    const stored = await test.session.messages();
    expect(stored.filter(({ info }) => "error" in info && info.error !== undefined)).toEqual([]);
    expectDone(test);
  });

  it("that never ends is given up after two summaries, with the first error (R1)", async () => {
    const test = await start((request) => (asksForSummary(request) ? reply.text("sum") : reply.error(overflow(`refused: prompt is too long ${test.model.requests.length}`))), {});
    const seeded = createAgent({ model: strictModel(scriptedModel([reply.text(textOf(5_000)), reply.text("ok")])), storage: test.storage, clock: test.clock });
    const other = await seeded.session(test.session.id);
    await other.prompt(textOf(5_000));
    await other.prompt("more");
    await seeded.close();
    const result = await test.session.prompt("go").settled;
    expect(result).toMatchObject({ outcome: "error", error: { code: "overflow" } });
    expect(test.model.requests.length).toBeLessThanOrEqual(5);
    expect(test.session.status).toEqual({ type: "idle" });
  });

  it("is only reported when compaction is off; a larger model then has one ordinary call (R4)", async () => {
    const test = await start([reply.text("One."), reply.error(overflow())], { compaction: { auto: false } });
    await test.session.prompt("one");
    expect(await test.session.prompt("two").settled).toMatchObject({ outcome: "error", error: { code: "overflow" } });
    const larger = strictModel(scriptedModel([reply.text("ok")]));
    expect(await test.session.prompt("three", { model: larger })).toMatchObject({ outcome: "answered", text: "ok" });
    expect(larger.requests).toHaveLength(1);
    expect((await test.session.messages()).flatMap(({ parts }) => parts.filter(({ type }) => type === "compaction"))).toEqual([]);
    expectDone(test);
  });

  it("works where the estimate is far too low (R32)", async () => {
    const tooLarge = (request: ModelRequest): boolean => JSON.stringify(request.prompt).length / 4 > 10_000 / 1.4;
    const test = await start((request) => {
      if (tooLarge(request)) return reply.error(overflow());
      return asksForSummary(request) ? reply.text(summaryText) : reply.text("Ok.");
    }, { contextLimits: limits });
    for (let turn = 0; turn < 12; turn += 1) expect(await test.session.prompt(textOf(1_000, "q"))).toMatchObject({ outcome: "answered" });
    expectDone(test);
  });

  it("because of media is answered by describing them (R31)", async () => {
    const image = `data:image/png;base64,iVBORw0KGgo${"A".repeat(999_989)}`;
    const test = await start((request) => {
      if (JSON.stringify(request.prompt).length > 5_000_000) return reply.error(new APICallError({ message: "Request Entity Too Large", url: "https://example.test", requestBodyValues: {}, statusCode: 413 }));
      return asksForSummary(request) ? reply.text(summaryText) : reply.text("Seen.");
    });
    for (let turn = 0; turn < 6; turn += 1) {
      expect(await test.session.prompt([{ type: "text", text: `Image ${turn}` }, { type: "file", mime: "image/png", url: image }])).toMatchObject({ outcome: "answered" });
    }
    expectDone(test);
  });
});

describe("session.compact()", () => {
  it("summarises between turns; reopened, the session sends the same request", async () => {
    const test = await start(summarizing((_request, count) => reply.text(`Answer ${count}. ${textOf(500)}`)));
    for (let prompt = 0; prompt < 7; prompt += 1) await test.session.prompt(`Prompt ${prompt}. ${textOf(3_000)}`);
    const result = await test.session.compact();
    expect(result?.tokens.after).toBeLessThan((result?.tokens.before ?? 0) / 2);
    await test.session.prompt("five");
    const live = test.model.requests.at(-1);
    await test.agent.close();
    const model = strictModel(scriptedModel([reply.text("ok")]));
    const again = createAgent({ model, storage: test.storage, clock: manualClock() });
    const session = await again.session(test.session.id);
    await session.prompt("six");
    // All of the request before is the beginning of the next.
    expect(JSON.stringify(model.requests[0]?.prompt).startsWith(JSON.stringify(live?.prompt).slice(0, -1))).toBe(true);
    expect((await session.messages()).filter(({ info }) => info.role === "user")).toHaveLength(10);
    await again.close();
  });

  it("labels the summary as context, and the last text of the user is the prompt (R11)", async () => {
    const test = await start(summarizing(() => reply.text(textOf(1_000))));
    await test.session.prompt(`do A ${textOf(3_000)}`);
    await test.session.compact();
    await test.session.prompt("now do B");
    const users = textsIn(test.model.requests.at(-1)).filter((text) => text.startsWith("user: "));
    expect(users.at(-1)).toBe("user: now do B");
    expect(users.slice(0, -1).every((text) => text.startsWith("user: [Context: "))).toBe(true);
    expectDone(test);
  });

  it("waits for the running turn, and goes before what is queued", async () => {
    const order: string[] = [];
    const test = await start((request) => {
      order.push(asksForSummary(request) ? "summary" : (textsIn(request).at(-1)?.slice(6, 11) ?? ""));
      return reply.text(asksForSummary(request) ? summaryText : textOf(4_000));
    });
    const first = test.session.prompt("first");
    const second = test.session.prompt("second");
    await nextEvent(test.session, "step.started");
    const [a, b] = [test.session.compact(), test.session.compact()];
    await Promise.all([first, second, a, b]);
    expect(order).toEqual(["first", "summary", "secon"]);
    expect(await a).toEqual(await b);
    expectDone(test);
  });

  it("does nothing where there is nothing to summarise", async () => {
    const test = await start([reply.text("Hi.")]);
    expect(await test.session.compact()).toBeUndefined();
    await test.session.prompt("Hi");
    expectDone(test);
  });

  it("tells why it failed, and leaves the session as it was", async () => {
    const test = await start((request) => (asksForSummary(request) ? reply.error(new Error("down")) : reply.text(textOf(3_000))));
    await test.session.prompt("one");
    const before = await test.session.messages();
    await expect(test.session.compact()).rejects.toMatchObject({ code: "compaction-failed", error: { message: "down" } });
    expect(await test.session.messages()).toEqual(before);
    expectDone(test);
  });

  it("is ended by abort() and by close()", async () => {
    for (const end of ["abort", "close"] as const) {
      const test = await start((request) => (asksForSummary(request) ? reply.stall() : reply.text(textOf(3_000))));
      await test.session.prompt("one");
      const compaction = test.session.compact();
      await expect.poll(() => test.model.requests.length).toBe(2);
      await Promise.all([expect(compaction).rejects.toMatchObject({ error: { code: "aborted" } }), test.session[end]()]);
      expect(test.clock.pending()).toBe(0);
    }
  });
});

describe("the summary's own model", () => {
  it("gets its own settings only (R199)", async () => {
    const small = strictModel(scriptedModel([reply.text(summaryText)]));
    const test = await start([reply.text(textOf(3_000))], { compaction: { model: small }, settings: { temperature: 0.3 }, providerOptions: { main: { effort: "max" } } });
    await test.session.prompt("one");
    await test.session.compact();
    expect(small.requests[0]).not.toHaveProperty("temperature", 0.3);
    expect(small.requests[0]?.providerOptions ?? {}).not.toHaveProperty("main");
    expectDone(test);
  });
});

describe("compaction of a history with calls (R9)", () => {
  it.each(["amazon-bedrock", "mistral.chat", "litellm.chat", "google.generative-ai"])("makes a request that %s accepts, and runs no tool", async (provider) => {
    const runs: string[] = [];
    const note = defineTool({ description: "Notes.", input: z.object({ text: z.string() }), execute: ({ text }) => { runs.push(text); return textOf(2_000); } });
    const script = (request: ModelRequest, index: number) => (asksForSummary(request) ? reply.text(summaryText) : index === 0 ? reply.toolCall("note", { text: "a" }) : reply.text("ok"));
    const test = await start(script, { tools: { note }, scripted: { provider } });
    await test.session.prompt("Note a.");
    expect(await test.session.compact()).toBeDefined();
    await test.session.prompt("And now?");
    expect(runs).toEqual(["a"]);
    expectDone(test);
  });
});
