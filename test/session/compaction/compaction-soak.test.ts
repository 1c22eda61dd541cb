import { describe, expect, it } from "vitest";
import { defineTool } from "throughline";
import { reply } from "throughline/testing";
import type { ModelRequest } from "throughline/testing";
import { z } from "zod";
import { expectDone, rolesIn, start, textsIn } from "../session-under-test.ts";
import { asksForSummary, summarizing } from "./compaction-under-test.ts";

const turns = 300;
const limits = { context: 64_000, output: 4_000 };
const output = "0123456789abcdef".repeat(320);

/** What the provider gets of a request. */
function bytesOf({ prompt }: ModelRequest): string {
  return JSON.stringify(prompt);
}

function commonPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** Bytes of the previous request that the next one begins with, as a share of all that could have been. */
function prefixHitRatio(requests: readonly string[]): number {
  let kept = 0;
  let all = 0;
  for (const [index, request] of requests.entries()) {
    const previous = requests[index - 1];
    if (previous === undefined) continue;
    // The closing bracket of the list is no part of what is sent.
    kept += Math.min(commonPrefix(previous, request), previous.length - 1);
    all += previous.length - 1;
  }
  return kept / all;
}

describe("300 turns with 5 kB of tool output each, in a window of 64,000 tokens", () => {
  it.each([
    { name: "clearing outputs first", prune: "overflow" as const },
    { name: "by summaries alone", prune: false as const },
  ])("$name", async ({ prune }) => {
    const read = defineTool({ description: "Reads.", input: z.object({ turn: z.number() }), execute: () => output });
    const test = await start(summarizing((request) => (rolesIn(request).at(-1) === "tool" ? reply.text("Read it, and here is what I found.") : reply.toolCall("read", { turn: 1 }))), {
      contextLimits: limits,
      compaction: { prune },
      tools: { read },
    });
    for (let turn = 0; turn < turns; turn += 1) {
      const prompt = `Turn ${turn}: please read the next file and tell me what is in it.`;
      expect(await test.session.prompt(prompt)).toMatchObject({ outcome: "answered" });
      expect(textsIn(test.model.requests.at(-1))).toContain(`user: ${prompt}`);
    }
    const ordinary = test.model.requests.filter((request) => !asksForSummary(request)).map(bytesOf);
    for (const { info } of await test.session.messages()) if (info.role === "assistant") expect(info.tokens.input + info.tokens.output).toBeLessThan(limits.context);
    const summaries = test.model.requests.length - ordinary.length;
    // What all turns would have made, over what one window takes: no one can do with less, if nothing is cleared.
    const tokens = turns * ((ordinary[1]?.length ?? 0) / 4);
    const least = Math.ceil(tokens / (limits.context - limits.output)) - 1;
    const ratio = prefixHitRatio(test.model.requests.map(bytesOf));
    process.stdout.write(`${summaries} summaries, at least ${least} without clearing; prefix hits ${ratio.toFixed(3)}\n`);
    expect(ratio).toBeGreaterThanOrEqual(0.95);
    expect(summaries).toBeLessThanOrEqual(Math.ceil(least * 1.3));
    expectDone(test);
  }, 60_000);
});
