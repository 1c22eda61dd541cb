import { describe, expect, it } from "vitest";
import type { PermissionAction } from "throughline";
import { reply } from "throughline/testing";
import { z } from "zod";
import { echoTool, expectDone, nextEvent, start } from "./session-under-test.ts";

const script = [reply.toolCall("echo", { text: "a" }), reply.text("Done.")];

describe("a permission function that does not answer", () => {
  it("is said to the logger once, and an abort ends the wait", async () => {
    const test = await start(script.slice(0, 1), { tools: { echo: echoTool().echo }, permissions: () => new Promise<never>(() => undefined) });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.started");
    await test.clock.advance(29_000);
    expect(test.problems).toEqual([]);
    await test.clock.advance(600_000);
    expect(test.problems).toEqual([expect.stringMatching(/permission policy has not answered within 30000 ms .* "echo"/)]);
    await turn.abort();
    expect((await turn.settled).outcome).toBe("aborted");
    expectDone(test);
  });

  it("may still do so, and leaves no timer", async () => {
    let answer: (action: PermissionAction) => void = () => undefined;
    const { echo, runs } = echoTool();
    const test = await start(script, { tools: { echo }, permissions: () => new Promise((resolve) => (answer = resolve)), timeouts: { hookMs: 100 } });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.started");
    await test.clock.advance(60_000);
    answer("allow");
    expect(await turn).toMatchObject({ outcome: "answered", text: "Done." });
    expect(runs).toEqual(["a"]);
    expect(test.problems).toHaveLength(1);
    expectDone(test);
  });

  it("is no other than a tool's needsApproval", async () => {
    const echo = { description: "Says it back.", inputSchema: z.object({ text: z.string() }), needsApproval: () => new Promise<never>(() => undefined), execute: () => "said" };
    const test = await start(script.slice(0, 1), { tools: { echo } });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.started");
    await test.clock.advance(60_000);
    expect(test.problems).toEqual([expect.stringContaining("needsApproval has not answered")]);
    await turn.abort();
    await turn.settled;
    expectDone(test);
  });
});
