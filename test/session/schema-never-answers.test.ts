import { describe, expect, it } from "vitest";
import { defineTool, type StandardSchema } from "throughline";
import { reply } from "throughline/testing";
import { expectDone, nextEvent, resultsIn, start } from "./session-under-test.ts";

/** A check of the host's that asks somebody who never answers. */
const schema: StandardSchema<unknown, { text: string }> = {
  "~standard": {
    version: 1,
    vendor: "own",
    validate: () => new Promise(() => undefined),
    jsonSchema: { input: () => ({ type: "object", properties: { text: { type: "string" } } }) },
  },
};

describe("a schema whose check never answers", () => {
  it("costs a call its result after timeouts.hookMs, and the model goes on", async () => {
    const stuck = defineTool({ description: "Is checked.", input: schema, execute: () => "It ran." });
    const test = await start([reply.toolCall("stuck", { text: "a" }), reply.text("Without it, then.")], { tools: { stuck }, timeouts: { hookMs: 1_000 } });
    const turn = test.session.prompt("Go").settled;
    await test.clock.runAll();
    expect(await turn).toMatchObject({ outcome: "answered", text: "Without it, then." });
    expect(resultsIn(test.model.requests[1])).toEqual([["call_1", "error-text", expect.stringContaining("could not be checked within 1000 ms")]]);
    expectDone(test);
  });

  it("ends a turn that wants an answer of that form, with the error that says so", async () => {
    const test = await start([reply.text('{"text":"a"}')], { timeouts: { hookMs: 1_000 } });
    const turn = test.session.prompt("Go", { format: { type: "json_schema", schema } }).settled;
    await test.clock.runAll();
    expect(await turn).toMatchObject({ outcome: "error", error: { code: "structured-output", message: expect.stringContaining("hookMs") as string } });
    expectDone(test);
  });

  it.each(["call", "answer"])("does not hold up an abort, be it of a %s", async (what) => {
    const stuck = defineTool({ description: "Is checked.", input: schema, execute: () => "It ran." });
    const test = await start([what === "call" ? reply.toolCall("stuck", { text: "a" }) : reply.text('{"text":"a"}')], { tools: { stuck } });
    const turn = test.session.prompt("Go", what === "call" ? {} : { format: { type: "json_schema", schema } }).settled;
    await nextEvent(test.session, "step.finished");
    await test.clock.advance(0);
    await test.session.abort();
    expect(await turn).toMatchObject({ outcome: "aborted" });
    expect(test.clock.monotonic()).toBe(0);
    expectDone(test);
  });
});
