import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { AgentOptions, SessionEvent, TurnResult } from "throughline";
import { reply, type Reply } from "throughline/testing";
import { echoTool, eventsOfType, expectDone, nextEvent, start, story, textsIn, type SessionUnderTest } from "../session-under-test.ts";

/** A provider's refusal. */
function refusal(statusCode: number, { headers, body, message = "refused" }: { headers?: Record<string, string>; body?: string; message?: string } = {}): APICallError {
  return new APICallError({ message, url: "https://acme.test", requestBodyValues: {}, statusCode, ...(headers !== undefined && { responseHeaders: headers }), ...(body !== undefined && { responseBody: body }) });
}

const retries = { retry: { maxAttempts: 5, baseDelayMs: 1_000, maxDelayMs: 30_000 } } satisfies Partial<AgentOptions>;

/** Prompts, and lets every wait pass. */
async function run(script: readonly Reply[], options: Partial<AgentOptions> = retries): Promise<{ test: SessionUnderTest; result: TurnResult; waits: number[]; tookMs: number }> {
  const test = await start(script, options);
  const before = test.clock.now();
  const turn = test.session.prompt("Hi").settled;
  await test.clock.runAll();
  const result = await turn;
  expectDone(test);
  expect(eventsOfType(test.events, "turn.finished")).toHaveLength(1);
  return { test, result, waits: eventsOfType(test.events, "step.retry").map(({ delayMs }) => delayMs), tookMs: test.clock.now() - before };
}

describe("a failed model call is made again", () => {
  it("by default, when the failure may pass", async () => {
    const { result } = await run([reply.error(refusal(503)), reply.text("Hello!")], { retry: {} });
    expect(result).toMatchObject({ outcome: "answered", text: "Hello!", steps: 1 });
  });

  it("and what had come of the failed attempt is gone: from the request, the result and the store (R82)", async () => {
    const { test, result } = await run([[reply.text("par"), reply.stall()], reply.text("Whole.")], { ...retries, timeouts: { idleMs: 5_000 } });
    expect(result).toMatchObject({ outcome: "answered", text: "Whole.", steps: 1 });
    expect(textsIn(test.model.requests[1])).toEqual(["user: Hi"]);
    const stored = await test.session.messages();
    expect(stored.map(({ info }) => [info.role, "attempt" in info ? info.attempt : 0])).toEqual([["user", 0], ["assistant", 2]]);
    expect(stored[1]).toEqual(result.messages[0]);
  });

  it("until the attempts are spent: then the last one stays, with its error (R82)", async () => {
    const stalled: Reply = [reply.text("par"), reply.stall()];
    const { result, test } = await run([stalled, stalled, stalled], { retry: { maxAttempts: 3 }, timeouts: { idleMs: 5_000 } });
    expect(result).toMatchObject({ outcome: "error", text: "par", steps: 1, error: { code: "timeout", retryable: true } });
    expect(await test.session.messages()).toHaveLength(2);
  });

  it("with its events in order, each drop in the commit that begins the next attempt", async () => {
    const { test } = await run([reply.error(refusal(529)), reply.text("Hello!")]);
    expect(story(test.events).filter((type) => /^(?:step|session\.status|message\.removed|part\.removed)/.test(type))).toEqual([
      "session.status", "step.started", "step.retry", "session.status", "session.status",
      "step.dropped", "part.removed", "message.removed", "step.started", "step.finished", "session.status",
    ]);
    const [dropped] = eventsOfType(test.events, "step.dropped");
    const [failed, second] = eventsOfType(test.events, "step.started");
    expect(dropped).toMatchObject({ messageID: failed?.messageID, error: { code: "overloaded", statusCode: 529 }, seq: second?.seq });
    expect(second).toMatchObject({ step: 1, attempt: 2 });
  });

  it("and the session says what it waits for", async () => {
    const test = await start([reply.error(refusal(503)), reply.text("Hello!")], retries);
    const turn = test.session.prompt("Hi").settled;
    const { delayMs, attempt } = await nextEvent(test.session, "step.retry");
    await test.clock.advance(0);
    expect(test.session.status).toMatchObject({ type: "retry", attempt, delayMs, error: { code: "overloaded" } });
    expect(attempt).toBe(1);
    await test.clock.advance(delayMs - 1);
    expect(test.model.requests).toHaveLength(1);
    await test.clock.advance(1);
    expect((await turn).outcome).toBe("answered");
    expectDone(test);
  });

  it("counting attempts for each step anew, and no step for a retry", async () => {
    const { echo, runs } = echoTool();
    const busy = reply.error(refusal(503));
    const { result } = await run([busy, busy, reply.toolCall("echo", { text: "a" }), busy, busy, reply.text("Done.")], { tools: { echo }, retry: { maxAttempts: 3 }, maxSteps: 2 });
    expect(result).toMatchObject({ outcome: "limit", text: "Done.", steps: 2 });
    expect(runs).toEqual(["a"]);
    expect(result.messages.map(({ info }) => [info.step, info.attempt])).toEqual([[1, 3], [2, 3]]);
  });

  it("without running a call of the failed attempt (R109)", async () => {
    const { echo, runs } = echoTool();
    const { result } = await run([[reply.toolCall("echo", { text: "a" }), reply.error(refusal(529))], reply.toolCall("echo", { text: "b" }), reply.text("Done.")], { ...retries, tools: { echo } });
    expect(runs).toEqual(["b"]);
    expect(result).toMatchObject({ outcome: "answered", toolErrors: [] });
  });

  it("exactly as often as the option says, and the error keeps the status (R110)", async () => {
    const { test, result } = await run(Array.from({ length: 3 }, () => reply.error(refusal(503, { body: "down" }))), { retry: { maxAttempts: 3 } });
    expect(test.model.requests).toHaveLength(3);
    expect(result).toMatchObject({ outcome: "error", error: { statusCode: 503, responseBody: "down" } });
  });

  it.each<[string, unknown]>([
    ["an object", { type: "overloaded_error" }],
    ["a code", { code: "server_is_overloaded" }],
    ["a JSON text", JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })],
    ["a JSON text in an error", new Error(JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }))],
  ])("also when the overload comes as an error part, here as %s (R106)", async (_what, error) => {
    const { result, waits } = await run([[reply.error(error, { inStream: "part" })], reply.text("Hello!")]);
    expect(result.outcome).toBe("answered");
    expect(waits).toHaveLength(1);
  });
});

describe("the wait before a retry", () => {
  it("is never above the limit, whatever headers there are (R98)", async () => {
    const { waits } = await run(Array.from({ length: 12 }, () => reply.error(refusal(503, { headers: { date: "Tue, 14 Nov 2023 22:13:20 GMT", "content-type": "text/html" } }))), { retry: { maxAttempts: 12 } });
    expect(waits).toHaveLength(11);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
  });

  it("heeds a date (R101)", async () => {
    const { waits } = await run([reply.error(refusal(429, { headers: { "retry-after": new Date(1_700_000_005_000).toUTCString() } })), reply.text("Hello!")]);
    expect(waits[0]).toBeGreaterThanOrEqual(5_000);
    expect(waits[0]).toBeLessThanOrEqual(6_000);
  });

  it("is the ordinary one where the date is past (R101)", async () => {
    const { waits } = await run([reply.error(refusal(429, { headers: { "retry-after": new Date(1_600_000_000_000).toUTCString() } })), reply.text("Hello!")]);
    expect(waits[0]).toBeGreaterThanOrEqual(500);
    expect(waits[0]).toBeLessThanOrEqual(1_000);
  });

  it("heeds a short hint beside the word quota (R105)", async () => {
    const { result, waits } = await run([reply.error(refusal(429, { headers: { "retry-after": "7" }, message: "Quota exceeded for requests per minute." })), reply.text("Hello!")]);
    expect(result.outcome).toBe("answered");
    expect(waits[0]).toBeGreaterThanOrEqual(7_000);
  });

  it("heeds what only the message says (R111)", async () => {
    const { waits } = await run([reply.error(refusal(429, { message: "Too many requests. Please retry in 12.3s." })), reply.text("Hello!")]);
    expect(waits[0]).toBeGreaterThanOrEqual(12_300);
  });

  it.each<[string, APICallError, number | undefined]>([
    ["429 of a window of hours", refusal(429, { headers: { "retry-after": "18000" }, message: "You exceeded your current quota." }), 18_000_000],
    ["429 insufficient_quota", refusal(429, { body: JSON.stringify({ error: { code: "insufficient_quota", message: "No credit." } }) }), undefined],
    ["402", refusal(402), undefined],
  ])("does not take place for an exhausted quota, here %s, and the error keeps the reset time (R104)", async (_what, error, retryAfterMs) => {
    const { result, waits } = await run([reply.error(error)]);
    expect(waits).toEqual([]);
    expect(result).toMatchObject({ outcome: "error", error: { code: "quota", ...(retryAfterMs !== undefined && { retryAfterMs }) } });
  });

  it("does not take place where the provider asks for more than the limit", async () => {
    const { result, waits } = await run([reply.error(refusal(429, { headers: { "retry-after": "31" } }))]);
    expect(waits).toEqual([]);
    expect(result).toMatchObject({ outcome: "error", error: { code: "rate-limit", retryAfterMs: 31_000 } });
  });

  it("ends with an abort, and the failed attempt stays with its text (R89)", async () => {
    const test = await start([[reply.text("Half"), reply.error(refusal(429, { headers: { "retry-after": "25" } }))], reply.text("Next.")], retries);
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.retry");
    await test.clock.advance(10);
    await turn.abort();
    const result = await turn.settled;
    expect(result).toMatchObject({ outcome: "aborted", text: "Half", steps: 1 });
    expect(test.clock.now()).toBe(1_700_000_000_010);
    expect(test.model.requests).toHaveLength(1);
    expect((await test.session.messages())[1]).toEqual(result.messages[0]);
    expect(await test.session.prompt("Again")).toMatchObject({ text: "Next." });
    expectDone(test);
  });

  it("ends with close()", async () => {
    const test = await start([reply.error(refusal(503))], retries);
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.retry");
    await test.session.close();
    expect(await turn.settled).toMatchObject({ outcome: "aborted" });
    expect(test.clock.pending()).toBe(0);
    expect(test.model.requests).toHaveLength(1);
  });
});

describe("an empty reply", () => {
  it.each<[string, Reply]>([
    ["finish other", [reply.finish("other")]],
    ["an unknown finish", [reply.chunks([{ type: "finish", finishReason: "weird-vendor-reason", usage: {} } as never])]],
    ["finish stop", [reply.finish("stop")]],
    ["reasoning only", reply.reasoning("Hm.")],
  ])("is asked for again at most twice, then it is an error, here with %s (R70, R74)", async (_what, said) => {
    const { result, waits } = await run([said, said, said]);
    expect(waits).toHaveLength(2);
    expect(result).toMatchObject({ outcome: "error", error: { code: "empty" }, steps: 1 });
    expect(result.messages[0]?.info.finish).toBeDefined();
  });

  it("is replaced by the answer that comes (R74)", async () => {
    const { result } = await run([[reply.finish("stop")], reply.text("Hello!")]);
    expect(result).toMatchObject({ outcome: "answered", text: "Hello!", steps: 1 });
  });

  it("counts among the attempts", async () => {
    const { result } = await run([reply.error(refusal(503)), [reply.finish("stop")]], { retry: { maxAttempts: 2 } });
    expect(result).toMatchObject({ outcome: "error", error: { code: "empty" } });
  });
});

it("a turn's iterator gives the retries, too", async () => {
  const test = await start([reply.error(refusal(503)), reply.text("Hello!")], retries);
  const turn = test.session.prompt("Hi");
  const seen: SessionEvent[] = [];
  const iterated = (async () => {
    for await (const event of turn) seen.push(event);
  })();
  await test.clock.runAll();
  await iterated;
  expect(eventsOfType(seen, "step.retry")).toMatchObject([{ turnID: turn.messageID }]);
});
