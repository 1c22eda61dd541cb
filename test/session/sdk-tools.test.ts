import { tool } from "ai";
import { describe, expect, it } from "vitest";
import type { PermissionRule } from "throughline";
import { reply } from "throughline/testing";
import { z } from "zod";
import { expectDone, nextEvent, resultsIn, start } from "./session-under-test.ts";

const schema = z.object({ path: z.string(), force: z.boolean().default(false) });
const callOf = (path: string) => [reply.toolCall("erase", { path }, { chunks: 2 }), reply.text("Done.")];

type Input = z.output<typeof schema>;
type NeedsApproval = (input: Input, call: { toolCallId: string; messages: unknown[] }) => boolean | Promise<boolean>;

/** The option is deprecated, and many tools have it. */
function guarded(needsApproval: NeedsApproval) {
  const definition = { description: "Erases.", inputSchema: schema, needsApproval, execute: () => "erased" };
  return tool(definition);
}

describe("needsApproval of an AI SDK tool, a function", () => {
  const resultOf = async (needsApproval: NeedsApproval, path: string, permissions?: PermissionRule[]) => {
    const test = await start(callOf(path), { permissions, tools: { erase: guarded(needsApproval) }, asks: { timeoutMs: 0 } });
    await test.session.prompt("Hi");
    expectDone(test);
    return resultsIn(test.model.requests[1])[0];
  };

  it("is asked about each call, with the checked input, the call's id and the messages", async () => {
    const asked: unknown[] = [];
    const result = await resultOf((given, { toolCallId, messages }) => {
      asked.push(given, toolCallId, messages.length);
      return false;
    }, "a");
    expect(asked).toEqual([{ path: "a", force: false }, "call_1", 1]);
    expect(result).toEqual(["call_1", "text", "erased"]);
  });

  it("that says yes, also later, makes the call an ask, which nobody can answer here", async () => {
    const byPath = ({ path }: { path: string }) => Promise.resolve(path.startsWith("/"));
    expect(await resultOf(byPath, "/etc")).toEqual(["call_1", "error-text", expect.stringContaining("permission of a person")]);
    expect(await resultOf(byPath, "tmp")).toEqual(["call_1", "text", "erased"]);
  });

  it("gives way to a rule, as a fixed needsApproval does", async () => {
    expect(await resultOf(() => true, "a", [{ permission: "erase", action: "allow" }])).toEqual(["call_1", "text", "erased"]);
    expect(await resultOf(() => false, "a", [{ permission: "erase", action: "deny" }])).toEqual(["call_1", "error-text", expect.anything()]);
  });

  it.each<[string, () => Promise<boolean>]>([
    ["throws", () => { throw new Error("cannot tell"); }],
    ["rejects", () => Promise.reject(new Error("cannot tell"))],
  ])("that %s lets nothing run", async (_what, fails) => {
    expect(await resultOf(fails, "a")).toEqual(["call_1", "error-text", expect.stringContaining("cannot tell")]);
  });

  it("that never answers does not outlast the turn", async () => {
    const asked: string[] = [];
    const erase = guarded(({ path }) => {
      asked.push(path);
      return new Promise(() => undefined);
    });
    const test = await start([reply.toolCall("erase", { path: "a" })], { tools: { erase } });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "step.finished");
    await test.clock.advance(1000);
    expect(asked).toEqual(["a"]);
    await turn.abort();
    expect((await turn.settled).outcome).toBe("aborted");
    expectDone(test);
  });
});

describe("the input hooks of an AI SDK tool", () => {
  const hooked = (note: (told: unknown[]) => void, fail = (): void | Promise<void> => undefined) =>
    tool({
      description: "Erases.",
      inputSchema: schema,
      execute: () => "erased",
      onInputStart: ({ toolCallId, messages, abortSignal }) => {
        note(["start", toolCallId, messages.length, abortSignal instanceof AbortSignal]);
        return fail();
      },
      onInputDelta: ({ inputTextDelta }) => {
        note(["delta", inputTextDelta]);
        return fail();
      },
      onInputAvailable: ({ input: given }) => {
        note(["available", given]);
        return fail();
      },
    });

  it("hear of the start, each piece and the checked input, in order, before the tool runs", async () => {
    const told: unknown[][] = [];
    const test = await start(callOf("a"), { tools: { erase: hooked((told_) => told.push(told_)) } });
    test.session.on("tool.started", () => told.push(["running"]));
    await test.session.prompt("Hi");
    expect(told[0]).toEqual(["start", "call_1", 1, true]);
    expect(told.filter(([kind]) => kind === "delta").map(([, delta]) => delta).join("")).toBe('{"path":"a"}');
    expect(told.slice(-2)).toEqual([["available", { path: "a", force: false }], ["running"]]);
    expectDone(test);
  });

  it("are not told of an input that is not valid", async () => {
    const told: unknown[][] = [];
    const test = await start([reply.toolCall("erase", { path: 5 }), reply.text("Sorry.")], { tools: { erase: hooked((told_) => told.push(told_)) } });
    await test.session.prompt("Hi");
    expect(told.map(([kind]) => kind)).not.toContain("available");
    expectDone(test);
  });

  it.each<[string, () => void | Promise<void>]>([
    ["throw", () => { throw new Error("broken hook"); }],
    ["reject", () => Promise.reject(new Error("broken hook"))],
    ["never end", () => new Promise(() => undefined)],
  ])("that %s hurt nobody", async (what, fail) => {
    const test = await start(callOf("a"), { tools: { erase: hooked(() => undefined, fail) } });
    expect((await test.session.prompt("Hi")).text).toBe("Done.");
    expect(resultsIn(test.model.requests[1])).toEqual([["call_1", "text", "erased"]]);
    if (what !== "never end") expect(test.problems).toContain('The hook onInputStart of tool "erase" failed.');
    expectDone(test);
  });
});
