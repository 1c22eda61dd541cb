import { describe, expect, it } from "vitest";
import { manualClock, reply } from "throughline/testing";
import { expectDone, nextEvent, start } from "../session/session-under-test.ts";

const timeouts = { firstChunkMs: 1000, idleMs: 2000, modelMs: 10_000 };

describe("a model call", () => {
  it.each<[string, Parameters<typeof reply.stall>[0]]>([
    ["no stream", { beforeStream: true }],
    ["no part", {}],
    ["no part, and ignores its signal", { ignoreAbort: true }],
  ])("that gives %s ends after firstChunkMs", async (_what, stall) => {
    const test = await start([reply.stall(stall)], { timeouts });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.started");
    await test.clock.advance(999);
    expect(test.session.status).toEqual({ type: "busy" });
    await test.clock.advance(251);
    expect(await turn.settled).toMatchObject({ outcome: "error", error: { code: "timeout", retryable: true, message: expect.stringContaining("firstChunkMs") as string } });
    expectDone(test);
  });

  it("that falls silent ends after idleMs, with its partial text", async () => {
    const test = await start([[reply.text("Half"), reply.stall()]], { timeouts });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "part.delta");
    await test.clock.advance(1999);
    expect(test.session.status).toEqual({ type: "busy" });
    await test.clock.advance(600);
    expect(await turn.settled).toMatchObject({ outcome: "error", text: "Half", error: { code: "timeout", message: expect.stringContaining("idleMs") as string } });
    expect(test.model.signals[0]?.aborted).toBe(true);
    expectDone(test);
  });

  it("that goes on and on ends after modelMs", async () => {
    const clock = manualClock();
    const test = await start([reply.text("x".repeat(1000))], { timeouts, clock, scripted: { clock, delayMs: 100, chunkSize: 1 } });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.started");
    await clock.advance(11_000);
    expect(await turn.settled).toMatchObject({ outcome: "error", error: { code: "timeout", message: expect.stringContaining("modelMs") as string } });
    expect(clock.pending()).toBe(0);
  });

  it("that is slow but within its limits is left alone", async () => {
    const clock = manualClock();
    const test = await start([reply.text("Hello!", { chunks: 6 })], { timeouts, clock, scripted: { clock, delayMs: 900 } });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.started");
    await clock.advance(9_000);
    expect(await turn).toMatchObject({ outcome: "answered", text: "Hello!" });
    expect(clock.pending()).toBe(0);
  });

  it("is not kept alive by keep-alives", async () => {
    const test = await start([[reply.chunks([{ type: "raw", rawValue: ": ping" }], { exact: true }), reply.stall()]], { timeouts });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.started");
    await test.clock.advance(1250);
    expect(await turn.settled).toMatchObject({ outcome: "error", error: { code: "timeout" } });
    expectDone(test);
  });
});
