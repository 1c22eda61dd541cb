import { describe, expect, it } from "vitest";
import type { AgentOptions } from "throughline";
import { reply } from "throughline/testing";
import { echoTool, expectDone, resultsIn, start } from "../session-under-test.ts";

const same = reply.toolCall("echo", { text: "a" });

/** What a model that repeats itself for ever comes to. */
async function repeat(calls: number, options: Partial<AgentOptions>) {
  const { echo, runs } = echoTool();
  const test = await start(Array.from({ length: calls }, () => same), { tools: { echo }, ...options });
  const turn = test.session.prompt("Hi").settled;
  await test.clock.runAll();
  const result = await turn;
  expectDone(test);
  return { result, runs: runs.length, test };
}

describe("a repetition where nobody answers asks", () => {
  it("runs four times, is refused, and ends the turn at the eighth, where nobody is to be asked", async () => {
    const { result, runs, test } = await repeat(8, { asks: { timeoutMs: 0 } });
    expect(result).toMatchObject({ outcome: "limit", error: { code: "repetition" } });
    expect(runs).toBe(4);
    expect(resultsIn(test.model.requests[5]).at(-1)?.[1]).toBe("error-text");
  });

  it("does the same by a rule that denies it", async () => {
    const { result, runs } = await repeat(8, { permissions: [{ permission: "*", action: "allow" }, { permission: "doom_loop", action: "deny" }] });
    expect(result).toMatchObject({ outcome: "limit", error: { code: "repetition" } });
    expect(runs).toBe(4);
  });

  it("ends the turn as rejected at the fifth, once the ask has expired", async () => {
    const { result, runs } = await repeat(5, { asks: { timeoutMs: 60_000 } });
    expect(result.outcome).toBe("rejected");
    expect(runs).toBe(4);
  });

  it("goes on to the eighth where a rejection does not end the turn", async () => {
    const { result, runs } = await repeat(8, { asks: { timeoutMs: 60_000, onReject: "continue" } });
    expect(result).toMatchObject({ outcome: "limit", error: { code: "repetition" } });
    expect(runs).toBe(4);
  });
});
