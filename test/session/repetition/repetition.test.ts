import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTool, type PermissionRule, type TurnResult } from "throughline";
import { reply, type Reply } from "throughline/testing";
import { z } from "zod";
import { eventsOfType, expectDone, nextEvent, resultsIn, start, textsIn, type SessionTestOptions, type SessionUnderTest } from "../session-under-test.ts";

/** Reads a file; the n-th answer is `answer(n)`. */
function reader(answer: (count: number, path: string) => string = (_count, path) => `content of ${path}`) {
  let count = 0;
  return defineTool({ description: "Reads.", input: z.object({ path: z.string(), line: z.number().optional() }), execute: ({ path }) => answer((count += 1), path) });
}

const read = (path: string): Reply => reply.toolCall("read", { path });
const times = (count: number, ...cycle: Reply[]): Reply[] => Array.from({ length: count }, () => cycle).flat();
const notes = (test: SessionUnderTest): number[] => test.model.requests.map((request) => textsIn(request).filter((text) => text.includes("you have made the same calls")).length);
const nobody: SessionTestOptions = { asks: { timeoutMs: 0 } };
const runs = ({ messages }: TurnResult): number => messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool" && part.state.status === "completed").length;

describe("a call that repeats", () => {
  it("is noted at the third time, once, and the turn may go on", async () => {
    const test = await start([...times(4, [reply.text("Hm."), ...[read("a")].flat()]), reply.text("Done.")], { tools: { read: reader() } });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "answered", steps: 5 });
    expect(notes(test)).toEqual([0, 0, 0, 1, 1]);
    expectDone(test);
  });

  it("is held back at the fifth by an ask about doom_loop, and runs when a person says so", async () => {
    const test = await start([...times(5, read("a")), reply.text("Done.")], { tools: { read: reader() } });
    const turn = test.session.prompt("Hi");
    const { ask } = await nextEvent(test.session, "ask.created");
    expect(ask).toMatchObject({ permission: "doom_loop", patterns: ["read"], always: ["read"], tool: "read", input: { path: "a" } });
    await test.session.reply(ask.id, { decision: "once" });
    const result = await turn;
    expect(result.outcome).toBe("answered");
    expect(runs(result)).toBe(5);
    expectDone(test);
  });

  it("does not run when a person says no, and the model reads why", async () => {
    const test = await start([...times(5, read("a")), reply.text("Sorry.")], { tools: { read: reader() } });
    const turn = test.session.prompt("Hi");
    const { ask } = await nextEvent(test.session, "ask.created");
    await test.session.reply(ask.id, { decision: "reject", message: "Try b." });
    const result = await turn;
    expect(result).toMatchObject({ outcome: "answered", text: "Sorry." });
    expect(runs(result)).toBe(4);
    expect(resultsIn(test.model.requests[5]).at(-1)).toMatchObject(["call_5", "error-text", expect.stringContaining("Try b.")]);
    expectDone(test);
  });

  it("ends the turn at the eighth, before it runs, when it goes on all the same", async () => {
    const test = await start(times(8, read("a")), { tools: { read: reader() }, ...nobody });
    const result = await test.session.prompt("Hi");
    expect(result).toMatchObject({ outcome: "limit", error: { code: "repetition", retryable: false }, steps: 8 });
    expect(runs(result)).toBe(4);
    expectDone(test);
  });

  it("is the same in other words: order of keys, form of numbers, Unicode", async () => {
    const inputs = ['{"path":"\u00e9","line":1}', '{"line":1.0,"path":"e\\u0301"}', '{ "line": 1e0, "path": "\u00e9" }'];
    const test = await start([...inputs.map((input) => reply.toolCall("read", input)), reply.text("Done.")], { tools: { read: reader(() => "same") } });
    await test.session.prompt("Hi");
    expect(notes(test)).toEqual([0, 0, 0, 1]);
    expectDone(test);
  });

  it.each([2, 3, 4])("is seen in a cycle of %s", async (period) => {
    const cycle = ["a", "b", "c", "d"].slice(0, period).map(read);
    const test = await start(times(8, ...cycle), { tools: { read: reader() }, ...nobody });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "limit", error: { code: "repetition" }, steps: 8 * period });
    expect(notes(test).indexOf(1)).toBe(3 * period);
    expectDone(test);
  });

  it.each<[string, Reply]>([
    ["unknown", reply.toolCall("nope", {})],
    ["invalid", reply.toolCall("read", { pth: "a" })],
    ["no JSON", reply.toolCall("read", "{")],
  ])("counts when it never executes: %s", async (_what, call) => {
    const test = await start(times(8, call), { tools: { read: reader() } });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "limit", error: { code: "repetition" }, steps: 8 });
    expectDone(test);
  });

  it("counts within a step, too", async () => {
    const test = await start([Array.from({ length: 8 }, () => read("a")).flat()], { tools: { read: reader() }, ...nobody });
    const result = await test.session.prompt("Hi");
    expect(result).toMatchObject({ outcome: "limit", error: { code: "repetition" }, steps: 1 });
    expect(runs(result)).toBe(4);
    expectDone(test);
  });
});

describe("what a policy says about doom_loop", () => {
  const goOn = async (rules: PermissionRule[], count: number): Promise<{ test: SessionUnderTest; result: TurnResult }> => {
    const test = await start([...times(count, read("a")), reply.text("Done.")], { tools: { read: reader() }, permissions: rules });
    return { test, result: await test.session.prompt("Hi") };
  };

  it("allow: it may go on for as long as it likes", async () => {
    const { test, result } = await goOn([{ permission: "doom_loop", pattern: "read", action: "allow" }], 12);
    expect(runs(result)).toBe(12);
    expect(eventsOfType(test.events, "ask.created")).toEqual([]);
    expectDone(test);
  });

  it("deny: nobody is asked", async () => {
    const { test, result } = await goOn([{ permission: "doom_loop", action: "deny" }], 5);
    expect(result.outcome).toBe("answered");
    expect(runs(result)).toBe(4);
    expectDone(test);
  });

  it("everything is allowed: nobody is asked, and the eighth ends the turn all the same", async () => {
    const test = await start(times(8, read("a")), { tools: { read: reader() }, permissions: [{ permission: "*", action: "allow" }] });
    const result = await test.session.prompt("Hi");
    expect(result).toMatchObject({ outcome: "limit", error: { code: "repetition" } });
    expect(runs(result)).toBe(7);
    expectDone(test);
  });

  it("a person's always: it may go on, and nobody is asked again", async () => {
    const test = await start([...times(12, read("a")), reply.text("Done.")], { tools: { read: reader() } });
    test.session.on("ask.created", ({ ask }) => void test.session.reply(ask.id, { decision: "always" }));
    const result = await test.session.prompt("Hi");
    expect(runs(result)).toBe(12);
    expect(eventsOfType(test.events, "ask.created")).toHaveLength(1);
    expectDone(test);
  });
});

describe("what is no repetition", () => {
  it.each<[string, Reply[], ReturnType<typeof reader>]>([
    ["20 reads of different files", Array.from({ length: 20 }, (_none, index) => read(`${index}`)), reader(() => "same")],
    ["a poll whose answer changes", times(12, read("job")), reader((count) => `${count} %`)],
    ["the same test with an edit in between", Array.from({ length: 10 }, (_none, index) => [read("test"), read(`edit ${index}`)]).flat(), reader(() => "1 failed")],
  ])("never fires: %s", async (_what, calls, tool) => {
    const test = await start([...calls, reply.text("Done.")], { tools: { read: tool } });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "answered", steps: calls.length + 1 });
    expect(notes(test).every((count) => count === 0)).toBe(true);
    expect(eventsOfType(test.events, "ask.created")).toEqual([]);
    expectDone(test);
  });

  it("is what another prompt asks for again", async () => {
    const test = await start(times(4, read("a"), read("a"), reply.text("Done.")), { tools: { read: reader() } });
    for (let round = 0; round < 4; round += 1) await test.session.prompt("Again");
    expect(Math.max(...notes(test))).toBe(0);
    expectDone(test);
  });
});

describe("for any model", () => {
  it("that repeats a cycle of up to four calls for ever, the guard ends the turn", { timeout: 60_000 }, async () => {
    const call = fc.tuple(fc.constantFrom("read", "nope"), fc.constantFrom("a", "b"));
    const prefix = fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(prefix, fc.array(call, { minLength: 1, maxLength: 4 }), async (before, cycle) => {
        let count = 0;
        const test = await start(
          () => {
            const index = (count += 1) - 1 - before.length;
            const [tool, path] = index < 0 ? ["read", before[count - 1] ?? ""] : (cycle[index % cycle.length] ?? ["read", ""]);
            return reply.toolCall(tool, { path });
          },
          { tools: { read: reader() }, ...nobody },
        );
        const result = await test.session.prompt("Hi");
        expect(result).toMatchObject({ outcome: "limit", error: { code: "repetition" } });
        expect(result.steps).toBeLessThanOrEqual(before.length + 8 * cycle.length);
        expect(test.model.violations).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
