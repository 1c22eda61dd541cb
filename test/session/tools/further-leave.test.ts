import { describe, expect, it } from "vitest";
import { defineTool, type Ask, type PermissionRule, type ToolPermission } from "throughline";
import { reply } from "throughline/testing";
import { z } from "zod";
import { eventsOfType, expectDone, resultsIn, start, type SessionUnderTest } from "../session-under-test.ts";

interface Asked {
  test: SessionUnderTest;
  asks: Ask[];
  runs: number;
  /** What the model read of each call. */
  results: string[];
}

/** Lets the model call a tool that needs this leave, so many times, and answers every ask with "always". */
async function asking(needed: ToolPermission, permissions: PermissionRule[], calls = 1): Promise<Asked> {
  let runs = 0;
  const touch = defineTool({
    description: "Touches.",
    input: z.object({ time: z.number().optional() }),
    permission: () => Promise.resolve(needed),
    execute: () => `ran ${(runs += 1)}`,
  });
  const script = [...Array.from({ length: calls }, (_, time) => reply.toolCall("touch", { time })), reply.text("Done.")];
  const test = await start(script, { tools: { touch }, permissions });
  test.session.on("ask.created", ({ ask }) => void test.session.reply(ask.id, { decision: "always" }));
  await test.session.prompt("Go.");
  expectDone(test);
  const results = resultsIn(test.model.requests.at(-1)).map(([, , value]) => String(value));
  return { test, asks: eventsOfType(test.events, "ask.created").map(({ ask }) => ask), runs, results };
}

describe("a call that needs several kinds of leave", () => {
  const needed: ToolPermission = { permission: "read", patterns: ["/etc/hosts"], also: [{ permission: "external_directory", patterns: ["/etc/*"], always: ["/etc/*"] }] };

  it("is asked about for what nothing allows, and only for that", async () => {
    const { asks, runs } = await asking(needed, [{ permission: "read", action: "allow" }]);
    expect(asks).toMatchObject([{ permission: "external_directory", patterns: ["/etc/*"], always: ["/etc/*"] }]);
    expect(asks[0]).not.toHaveProperty("also");
    expect(runs).toBe(1);
  });

  it("is asked about once, for all of it; always saves what was shown, and no more is asked", async () => {
    const { test, asks, runs } = await asking(needed, [{ permission: "*", action: "ask" }], 2);
    expect(asks).toMatchObject([{ permission: "read", patterns: ["/etc/hosts"], also: [{ permission: "external_directory", patterns: ["/etc/*"], always: ["/etc/*"] }] }]);
    expect(test.session.info.permission).toEqual([
      { permission: "read", pattern: "/etc/hosts", action: "allow" },
      { permission: "external_directory", pattern: "/etc/*", action: "allow" },
    ]);
    expect(runs).toBe(2);
  });

  it("does not run when one of them is denied", async () => {
    const { asks, runs, results } = await asking(needed, [{ permission: "external_directory", pattern: "/etc/*", action: "deny" }]);
    expect([asks, runs]).toEqual([[], 0]);
    expect(results[0]).toContain('"permission":"external_directory"');
  });

  it("runs at once when the rules allow all of it", async () => {
    expect(await asking(needed, [{ permission: "external_directory", action: "allow" }])).toMatchObject({ asks: [], runs: 1 });
  });

  it("is asked about where only a rule of that name may allow it, whatever the general rule says", async () => {
    const destructive: ToolPermission = { patterns: ["rm -rf /"], also: [{ permission: "destructive", patterns: ["rm -rf /"], byNameOnly: true }] };
    expect((await asking(destructive, [{ permission: "*", action: "allow" }])).asks).toMatchObject([{ permission: "destructive" }]);
    const lifted: PermissionRule[] = [{ permission: "*", action: "allow" }, { permission: "destructive", pattern: "rm -rf /", action: "allow" }];
    expect((await asking(destructive, lifted)).asks).toEqual([]);
  });
});

describe("a call that could not be accounted for", () => {
  const needed: ToolPermission = { patterns: ["$(x)"], unaccounted: "The name of the command is made when it runs." };

  it("is asked about each time, whatever rules and saved answers say, and the ask says why", async () => {
    const { test, asks, runs } = await asking(needed, [{ permission: "*", action: "allow" }], 2);
    expect(asks.map(({ reason, always }) => [reason, always])).toEqual(Array(2).fill([needed.unaccounted, []]));
    expect(test.session.info.permission).toEqual([]);
    expect(runs).toBe(2);
  });

  it("does not run when it is denied", async () => {
    expect(await asking(needed, [{ permission: "touch", pattern: "$(*", action: "deny" }])).toMatchObject({ asks: [], runs: 0 });
  });

  it("is asked about for whatever the tool gave as the reason", async () => {
    // A tool without types: a reason that is no text must not be lost.
    const { asks } = await asking({ patterns: ["x"], unaccounted: 5 as unknown as string }, [{ permission: "*", action: "allow" }]);
    expect(asks).toHaveLength(1);
  });
});

describe("several patterns of one call", () => {
  it("are asked about when one is not allowed; what was saved before covers its own part", async () => {
    const touch = defineTool({ description: "Touches.", input: z.object({ paths: z.array(z.string()) }), permission: ({ paths }) => ({ patterns: paths }), execute: () => "ran" });
    const script = [reply.toolCall("touch", { paths: ["a"] }), reply.toolCall("touch", { paths: ["a", "b"] }), reply.text("Done.")];
    const test = await start(script, { tools: { touch }, permissions: [{ permission: "touch", action: "ask" }, { permission: "touch", pattern: "b", action: "allow" }] });
    test.session.on("ask.created", ({ ask }) => void test.session.reply(ask.id, { decision: "always" }));
    await test.session.prompt("Go.");
    expect(eventsOfType(test.events, "ask.created").map(({ ask }) => ask.patterns)).toEqual([["a"]]);
    expectDone(test);
  });
});

describe("a tool that says what leave it needs", () => {
  it.each<[string, unknown]>([
    ["a text", "ls"],
    ["one text as the patterns", { patterns: "ls" }],
    ["further leave without patterns", { also: [{ permission: "external_directory" }] }],
    ["further leave that is no list", { also: { permission: "x", patterns: [] } }],
  ])("in a form that is none, %s, does not run", async (_form, needed) => {
    const { runs, results } = await asking(needed as ToolPermission, [{ permission: "*", action: "allow" }]);
    expect(runs).toBe(0);
    expect(results[0]).toContain("permission() must return");
  });

  it("may take its time, but not for ever", async () => {
    const slow = defineTool({ description: "Slow.", input: z.object({}), permission: () => new Promise<ToolPermission>(() => undefined), execute: () => "ran" });
    const test = await start([reply.toolCall("slow"), reply.text("Done.")], { tools: { slow } });
    const turn = test.session.prompt("Go.");
    await test.clock.advance(60_000);
    await turn;
    expect(resultsIn(test.model.requests[1])[0]?.[2]).toContain("did not say within 60000 ms");
    expectDone(test);
  });
});
