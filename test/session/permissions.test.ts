import { describe, expect, it } from "vitest";
import { defineTool, type PermissionRule, type PermissionSource } from "throughline";
import { reply } from "throughline/testing";
import { z } from "zod";
import { expectDone, resultsIn, start } from "./session-under-test.ts";

interface Judged {
  runs: string[];
  /** Type and value of the result that the model read. */
  result: [string, string];
  offered: string[];
}

/** Lets the model call `bash` once, and tells what came of it. */
async function judge(permissions: PermissionSource | undefined, command: string, ceiling?: readonly PermissionRule[]): Promise<Judged> {
  const runs: string[] = [];
  const bash = defineTool({
    description: "Runs a command.",
    input: z.object({ command: z.string() }),
    permission: (input) => ({ patterns: [input.command] }),
    execute: (input) => {
      runs.push(input.command);
      return "ran";
    },
  });
  const other = defineTool({ description: "Another.", input: z.object({}), execute: () => "" });
  const test = await start([reply.toolCall("bash", { command }), reply.text("Done.")], { tools: { bash, other }, permissions, asks: { timeoutMs: 0 } });
  await test.session.prompt("Hi", { permissions: ceiling });
  expectDone(test);
  const [result] = resultsIn(test.model.requests[1]);
  return { runs, result: [String(result?.[1]), String(result?.[2])], offered: (test.model.requests[0]?.tools ?? []).map(({ name }) => name) };
}

describe("a call", () => {
  it("runs where no rule says otherwise: the host registered the tool", async () => {
    expect(await judge(undefined, "ls")).toMatchObject({ runs: ["ls"], result: ["text", "ran"] });
  });

  it("does not run against a deny rule; the model reads which, and the turn goes on", async () => {
    const { runs, result, offered } = await judge(
      [
        { permission: "*", action: "allow" },
        { permission: "bash", pattern: "git push*", action: "deny" },
      ],
      "git push origin",
    );
    expect(runs).toEqual([]);
    expect(result[0]).toBe("error-text");
    expect(result[1]).toContain("not permitted");
    expect(result[1]).toContain('"pattern":"git push*"');
    expect(offered).toEqual(["bash", "other"]);
  });

  it("does not run where it would have to ask, and nobody is there: nothing turns an ask into allow", async () => {
    const { runs, result } = await judge([{ permission: "bash", action: "ask" }], "ls");
    expect(runs).toEqual([]);
    expect(result).toEqual(["error-text", expect.stringContaining("permission of a person")]);
  });

  it("of a tool whose default is to ask does not run without a rule that allows it", async () => {
    const careful = (permissions: PermissionSource) =>
      start([reply.toolCall("careful"), reply.text("Done.")], {
        tools: { careful: defineTool({ description: "Careful.", input: z.object({}), defaultAction: "ask", execute: () => "ran" }) },
        permissions,
        asks: { timeoutMs: 0 },
      });
    for (const [permissions, type] of [
      [[], "error-text"],
      [[{ permission: "careful", action: "allow" }], "text"],
    ] as [PermissionRule[], string][]) {
      const test = await careful(permissions);
      await test.session.prompt("Hi");
      expect(resultsIn(test.model.requests[1])[0]?.[1]).toBe(type);
    }
  });

  it.each<[string, PermissionSource]>([
    ["throws", () => { throw new Error("no idea"); }],
    ["rejects", () => Promise.reject(new Error("no idea"))],
    ["answers nonsense", () => "maybe" as "allow"],
    ["answers yes", () => true as unknown as "allow"],
  ])("does not run when the policy %s", async (_what, policy) => {
    expect(await judge(policy, "ls")).toMatchObject({ runs: [], result: ["error-text", expect.stringContaining("not permitted")] });
  });

  it("does not run when the policy gives no decision, and the result says what a decision is", async () => {
    const { result } = await judge(() => true as unknown as "allow", "ls");
    expect(result[1]).toContain('must return "allow", "deny", "ask", or an object such as { action: "allow" }');
  });

  it("does not run when the tool cannot say what it would touch", async () => {
    const broken = defineTool({
      description: "Broken.",
      input: z.object({}),
      permission: () => {
        throw new Error("cannot parse");
      },
      execute: () => "ran",
    });
    const test = await start([reply.toolCall("broken"), reply.text("Done.")], { tools: { broken } });
    await test.session.prompt("Hi");
    expect(resultsIn(test.model.requests[1])).toMatchObject([["call_1", "error-text", expect.stringContaining("cannot parse")]]);
    expectDone(test);
  });
});

describe("a tool that the rules deny altogether", () => {
  it("is not offered, and does not run when it is called all the same", async () => {
    const { offered, runs, result } = await judge([{ permission: "bash", action: "deny" }], "ls");
    expect(offered).toEqual(["other"]);
    expect(runs).toEqual([]);
    expect(result[0]).toBe("error-text");
  });

  it("is offered when a later rule lets some of it through", async () => {
    const rules: PermissionRule[] = [
      { permission: "bash", action: "deny" },
      { permission: "bash", pattern: "ls*", action: "allow" },
    ];
    expect(await judge(rules, "ls -l")).toMatchObject({ offered: ["bash", "other"], runs: ["ls -l"] });
    expect(await judge(rules, "rm -r x")).toMatchObject({ runs: [] });
  });
});

describe("the permissions of a prompt", () => {
  it("take away what the agent allows", async () => {
    expect(await judge([], "ls", [{ permission: "bash", pattern: "ls*", action: "deny" }])).toMatchObject({ runs: [] });
    expect(await judge([], "ls", [{ permission: "bash", action: "deny" }])).toMatchObject({ runs: [], offered: ["other"] });
  });

  it.each<PermissionRule["action"]>(["deny", "ask"])("never give what the agent does not: here its rule is %s", async (action) => {
    expect(await judge([{ permission: "bash", action }], "ls", [{ permission: "*", action: "allow" }])).toMatchObject({ runs: [], result: ["error-text", expect.anything()] });
  });

  it("may deny every tool after some were called: the request stays legal", async () => {
    const bash = defineTool({ description: "Runs.", input: z.object({}), execute: () => "ran" });
    const test = await start([reply.toolCall("bash"), reply.text("Done."), reply.toolCall("bash"), reply.text("No tools.")], { tools: { bash } });
    await test.session.prompt("Hi");
    await test.session.prompt("Hi", { permissions: [{ permission: "*", action: "deny" }] });
    expect(test.model.requests[2]?.tools?.map(({ name }) => name)).not.toContain("bash");
    expect(resultsIn(test.model.requests[3]).at(-1)).toEqual(["call_2", "error-text", expect.stringContaining("No tools are available")]);
    expectDone(test);
  });

  it("last for that prompt only", async () => {
    const bash = defineTool({ description: "Runs.", input: z.object({}), execute: () => "ran" });
    const test = await start([reply.text("No tools."), reply.toolCall("bash"), reply.text("Done.")], { tools: { bash } });
    await test.session.prompt("Hi", { permissions: [{ permission: "*", action: "deny" }] });
    await test.session.prompt("Hi");
    expect(test.model.requests.map(({ tools }) => tools?.length ?? 0)).toEqual([0, 1, 1]);
    expect(resultsIn(test.model.requests[2])).toEqual([["call_1", "text", "ran"]]);
    expectDone(test);
  });
});
