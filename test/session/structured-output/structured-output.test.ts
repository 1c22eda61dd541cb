import { jsonSchema } from "ai";
import { describe, expect, it } from "vitest";
import { createAgent, defineTool, memoryStorage, type JSONSchema, type Session } from "throughline";
import { crashMatrix, reply, scriptedModel, strictModel, type ModelRequest, type Reply, type ReplyPiece, type ScriptedModel, type StrictModel } from "throughline/testing";
import { z } from "zod";
import { echoTool, expectDone, gatedTool, resultsIn, rolesIn, start, textsIn, type SessionUnderTest } from "../session-under-test.ts";

const color = z.object({ name: z.string(), hex: z.string().optional() });
const format = { type: "json_schema", schema: color } as const;

const toolsIn = (request: ModelRequest | undefined): string[] => (request?.tools ?? []).map(({ name }) => name);
const answer = (name: string, tool = "StructuredOutput"): ReplyPiece => reply.toolCall(tool, { name });

/** The same session through a new agent on the same storage, as after a restart. */
async function reopen(test: SessionUnderTest, script: readonly Reply[]): Promise<{ session: Session; model: ScriptedModel & StrictModel }> {
  const model = strictModel(scriptedModel(script));
  return { session: await createAgent({ model, storage: test.storage, clock: test.clock }).session(test.session.id), model };
}

describe("a prompt with a format", () => {
  it("is answered by a call, whose input is the result's output", async () => {
    const test = await start([answer("red")]);
    const result = await test.session.prompt("A color?", { format });
    expect(result).toMatchObject({ outcome: "answered", output: { name: "red" }, steps: 1, toolErrors: [] });
    expect(test.model.requests[0]).toMatchObject({ toolChoice: { type: "required" } });
    expect(test.model.requests[0]?.tools).toMatchObject([{ name: "StructuredOutput", inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } }]);
    expect(textsIn(test.model.requests[0])[0]).toContain('calling the tool "StructuredOutput"');
    expectDone(test);
  });

  it("may use the host's tools first, and its own tool comes behind them", async () => {
    const { echo, runs } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" }), answer("red")], { tools: { echo } });
    expect(await test.session.prompt("A color?", { format })).toMatchObject({ outcome: "answered", output: { name: "red" }, steps: 2 });
    expect(runs).toEqual(["a"]);
    expect(test.model.requests.map(toolsIn)).toEqual([["echo", "StructuredOutput"], ["echo", "StructuredOutput"]]);
    expect(test.model.requests[0]).toMatchObject({ toolChoice: { type: "auto" } });
    expectDone(test);
  });

  it("ends once the other calls of the step have settled", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([[answer("red"), reply.toolCall("gate", { name: "a" })]], { tools: { gate } });
    const turn = test.session.prompt("A color?", { format });
    await whenStarted("a");
    open("a");
    const { outcome, output, messages } = await turn;
    expect({ outcome, output }).toEqual({ outcome: "answered", output: { name: "red" } });
    expect(messages[0]?.parts.flatMap((part) => (part.type === "tool" ? [part.state.status] : []))).toEqual(["completed", "completed"]);
    expectDone(test);
  });

  it("asks nobody for leave", async () => {
    const test = await start([answer("red")], { permissions: [{ permission: "*", action: "deny" }] });
    expect((await test.session.prompt("A color?", { format })).output).toEqual({ name: "red" });
    expectDone(test);
  });

  it("leaves the name to a tool of the host's", async () => {
    const { echo, runs } = echoTool();
    const test = await start([reply.toolCall("structuredoutput", { text: "mine" }), answer("red", "StructuredOutput_2")], { tools: { structuredoutput: echo } });
    expect((await test.session.prompt("A color?", { format })).output).toEqual({ name: "red" });
    expect(runs).toEqual(["mine"]);
    expect(toolsIn(test.model.requests[0])).toEqual(["structuredoutput", "StructuredOutput_2"]);
    expectDone(test);
  });

  it("gives the output as the schema made it, and stores it as JSON", async () => {
    const schema = z.object({ day: z.string().transform((text) => new Date(text)), count: z.number().default(1) });
    const test = await start([reply.toolCall("StructuredOutput", { day: "2026-01-02" })]);
    const { output, messages } = await test.session.prompt("When?", { format: { type: "json_schema", schema } });
    expect(output).toEqual({ day: new Date("2026-01-02"), count: 1 });
    const stored = { day: "2026-01-02T00:00:00.000Z", count: 1 };
    expect(messages[0]?.info.structured).toEqual(stored);
    expect((await test.session.messages()).at(-1)?.info).toMatchObject({ structured: stored });
    expectDone(test);
  });

  it.each<[string, unknown]>([
    ["JSON Schema", { type: "object", properties: { name: { type: "string" } }, required: ["name"] }],
    ["a schema of the AI SDK", jsonSchema({ type: "object", properties: { name: { type: "string" } }, required: ["name"] })],
  ])("takes %s", async (_what, schema) => {
    const test = await start([reply.toolCall("StructuredOutput", { nam: "red" }), answer("red")]);
    const { output } = await test.session.prompt("A color?", { format: { type: "json_schema", schema: schema as JSONSchema } });
    expect(output).toEqual({ name: "red" });
    expect(resultsIn(test.model.requests[1])).toMatchObject([["call_1", "error-text", expect.stringContaining("name")]]);
    expectDone(test);
  });

  it("never joins a running turn", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One."), answer("red")], { tools: { gate } });
    const first = test.session.prompt("first");
    await whenStarted("a");
    const second = test.session.prompt("second", { delivery: "steer", format });
    await second.accepted;
    open("a");
    expect((await first).text).toBe("One.");
    expect((await second).output).toEqual({ name: "red" });
    expect(test.model.requests.map(toolsIn)).toEqual([["gate"], ["gate"], ["gate", "StructuredOutput"]]);
    expectDone(test);
  });

  it("sticks to its prompt: a later one without a format is not offered the tool, and its request is legal", async () => {
    const test = await start([answer("red"), reply.text("no"), answer("blue"), reply.text("Fine.")]);
    expect((await test.session.prompt("1", { format })).output).toEqual({ name: "red" });
    expect((await test.session.prompt("2", { format })).output).toEqual({ name: "blue" });
    const third = await test.session.prompt("3");
    expect(third).toMatchObject({ outcome: "answered", text: "Fine." });
    expect(third.output).toBeUndefined();
    expect(toolsIn(test.model.requests[3])).not.toContain("StructuredOutput");
    expectDone(test);
  });
});

describe("a model that does not call the tool", () => {
  it.each<[string, string]>([
    ["JSON alone", '{"name":"red"}'],
    ["JSON in a fence", 'Here it is:\n```json\n{"name":"red"}\n```\nEnjoy.'],
    ["JSON in words", 'It is {"name":"red"}, I think.'],
  ])("is understood when its text is %s", async (_what, text) => {
    const test = await start([reply.text(text)]);
    expect(await test.session.prompt("A color?", { format })).toMatchObject({ outcome: "answered", output: { name: "red" }, steps: 1 });
    expectDone(test);
  });

  it("is told so, and asked again", async () => {
    const test = await start([reply.text("Red."), reply.text('{"name":1}'), answer("red")]);
    expect(await test.session.prompt("A color?", { format })).toMatchObject({ outcome: "answered", output: { name: "red" }, steps: 3 });
    expect(rolesIn(test.model.requests[2]).slice(1)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    const [first, second] = textsIn(test.model.requests[2]).filter((text) => text.includes("not in the form"));
    expect(first).toContain("without a call");
    expect(second).toContain("name: is 1");
    expectDone(test);
  });

  it.each([0, 1, 2])("ends with a typed error after %s retries", async (retryCount) => {
    const test = await start(Array.from({ length: retryCount + 1 }, () => reply.text("no")));
    const turn = test.session.prompt("A color?", { format: { ...format, retryCount } });
    await expect(turn).rejects.toMatchObject({ code: "turn-failed", error: { code: "structured-output", message: expect.stringContaining("without a call") as string } });
    expect(await turn.settled).toMatchObject({ outcome: "error", text: "no", steps: retryCount + 1 });
    expectDone(test);
  });

  it("ends so when its calls are never valid", async () => {
    const wrong = reply.toolCall("StructuredOutput", { name: 1 });
    const test = await start([wrong, wrong, wrong]);
    expect(await test.session.prompt("A color?", { format }).settled).toMatchObject({ outcome: "error", error: { code: "structured-output", message: expect.stringContaining("name: is 1") as string }, steps: 3 });
    expectDone(test);
  });

  it("is stopped by the step limit, on whose last step only that tool is offered", async () => {
    const { echo } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("no")], { tools: { echo }, maxSteps: 2 });
    expect(await test.session.prompt("A color?", { format }).settled).toMatchObject({ outcome: "error", error: { code: "structured-output" } });
    expect(toolsIn(test.model.requests[1])).toEqual(["StructuredOutput"]);
    expectDone(test);
  });

  it("gives its answer on the last step", async () => {
    const { echo } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" }), answer("red")], { tools: { echo }, maxSteps: 2 });
    expect(await test.session.prompt("A color?", { format })).toMatchObject({ outcome: "answered", output: { name: "red" } });
    expectDone(test);
  });
});

describe("a structured answer after a restart", () => {
  it("is there, and the next request is legal", async () => {
    const test = await start([answer("red")]);
    await test.session.prompt("1", { format, id: "msg_known" });
    const { session, model } = await reopen(test, [reply.text("no"), answer("blue"), reply.text("Fine.")]);
    expect((await session.prompt("1", { format, id: "msg_known" })).output).toEqual({ name: "red" });
    expect((await session.prompt("2", { format })).output).toEqual({ name: "blue" });
    await session.prompt("3");
    expect(model.requests.map(toolsIn)).toEqual([["StructuredOutput"], ["StructuredOutput"], ["no_tools_available"]]);
    expect(model.violations).toEqual([]);
  });

  it("is given all the same wherever the process dies: with the stored schema, and once", { timeout: 60_000 }, async () => {
    const { points } = await crashMatrix({
      name: "a structured answer",
      storage: ({ clock }) => {
        const storage = memoryStorage({ clock });
        return Promise.resolve({ storage, reopen: () => Promise.resolve(storage) });
      },
      agent: ({ clock }) => ({
        model: scriptedModel((request) => {
          if (!textsIn(request).some((text) => text.includes("not in the form"))) return reply.text("Red.");
          return rolesIn(request).includes("tool") ? answer("red") : [answer("red"), reply.toolCall("work", {})];
        }),
        tools: { work: defineTool({ description: "Works.", input: z.object({}), execute: () => new Promise<string>((resolve) => clock.setTimeout(() => { resolve("done"); }, 300)) }) },
      }),
      run: (session) => session.prompt("A color?", { format, id: "msg_1" }),
      result: async (session) => {
        const messages = await session.messages();
        return messages.flatMap(({ info }) => (info.role === "user" ? [info.outcome?.type] : info.structured === undefined ? [] : [info.structured]));
      },
      check: async (session) => {
        const given = (await session.messages()).filter(({ info }) => info.role === "assistant" && info.structured !== undefined);
        if (given.length > 1) throw new Error("given twice");
      },
    });
    expect(points).toBeGreaterThan(8);
  });
});

describe("a format that cannot be used", () => {
  it.each<[string, unknown, string]>([
    ["an unknown type", { type: "json" }, "prompt.options.format"],
    ["no schema", { type: "json_schema" }, "prompt.options.format.schema"],
    ["a list at the root", { type: "json_schema", schema: z.array(z.string()) }, "prompt.options.format.schema"],
    ["a negative number of retries", { type: "json_schema", schema: color, retryCount: -1 }, "prompt.options.format.retryCount"],
    ["another field", { type: "json_schema", schema: color, retries: 1 }, "prompt.options.format.retries"],
  ])("is refused: %s", async (_what, wrong, argument) => {
    const test = await start([]);
    expect(() => test.session.prompt("Hi", { format: wrong as typeof format })).toThrow(expect.objectContaining({ code: "invalid-argument", argument }));
    expectDone(test);
  });
});

