import { describe, expect, it } from "vitest";
import { createAgent, defineTool, DuplicateToolError, InvalidArgumentError, InvalidToolError, createToolRegistry, type AgentOptions } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";

const model = scriptedModel([]);
const echo = defineTool({ description: "Echoes.", input: z.object({}), execute: () => "" });
// Callers without types pass anything: that is what these tests are about.
const asOptions = (value: unknown): AgentOptions => value as AgentOptions;

describe("createAgent refuses", () => {
  it.each<[string, unknown, RegExp]>([
    ["no options", undefined, /createAgent/],
    ["no model", {}, /createAgent\.options\.model: a model is required\. Pass an AI SDK model/],
    ["an empty model id", { model: "" }, /a model is required/],
    ["an object that is no model", { model: { id: "gpt" } }, /not an AI SDK language model/],
    ["a model factory that was not called", { model: () => model }, /expected an AI SDK language model or a model id string, got function/],
    ["a model of an unknown specification", { model: { ...model, specificationVersion: "v9" } }, /"v9" is not supported.*Update/],
    ["an unknown option", { model, tool: {} }, /createAgent\.options.*tool/],
    ["a name that is no text", { model, name: 7 }, /options\.name/],
    ["instructions that are no text", { model, instructions: 7 }, /options\.instructions: expected a text, a list of texts, or a function/],
    ["tools that are no record", { model, tools: "echo" }, /options\.tools/],
    ["a storage that is none", { model, storage: {} }, /options\.storage: expected a Storage such as memoryStorage\(\); it has no commit\(\)/],
    ["permissions that are none", { model, permissions: "allow" }, /permissions.*must be a list of rules/],
    ["an action that does not exist", { model, permissions: [{ permission: "*", action: "maybe" }] }, /must be "allow", "deny" or "ask"/],
    ["no steps", { model, maxSteps: 0 }, /options\.maxSteps/],
    ["endless steps", { model, maxSteps: Infinity }, /options\.maxSteps/],
    ["a limit that is no time", { model, timeouts: { toolMs: "60s" } }, /options\.timeouts\.toolMs/],
    ["a limit with an unknown name", { model, timeouts: { tool: 1 } }, /options\.timeouts.*tool/],
    ["a negative time to live", { model, leases: { ttlMs: -1 } }, /options\.leases\.ttlMs/],
    ["no concurrency", { model, concurrency: { tools: 0 } }, /options\.concurrency\.tools/],
    ["a negative price", { model, prices: { input: -1, output: 1 } }, /options\.prices\.input/],
    ["a clock that is none", { model, clock: { now: () => 0 } }, /options\.clock: expected a Clock; it has no setTimeout\(\), clearTimeout\(\)/],
    ["a logger that is no function", { model, logger: console }, /options\.logger/],
  ])("%s, and says what is wrong", (_what, options, message) => {
    expect(() => createAgent(asOptions(options))).toThrow(InvalidArgumentError);
    expect(() => createAgent(asOptions(options))).toThrow(message);
  });

  it.each<[string, unknown, RegExp]>([
    ["without a schema", { description: "No input.", execute: () => "" }, /"echo".*input/],
    ["without anything to execute", { description: "No execute.", input: z.object({}) }, /"echo".*execute/],
    ["that is no object", "echo", /"echo"/],
  ])("a tool %s", (_what, tool, message) => {
    expect(() => createAgent(asOptions({ model, tools: { echo: tool } }))).toThrow(InvalidToolError);
    expect(() => createAgent(asOptions({ model, tools: { echo: tool } }))).toThrow(message);
  });

  it("a tool without a name", () => {
    expect(() => createAgent({ model, tools: { "": echo } })).toThrow(InvalidToolError);
    expect(() => createToolRegistry([echo])).toThrow(/This tool: needs a name/);
  });

  it("a second tool of one name", () => {
    const registry = createToolRegistry({ echo });
    expect(() => registry.register("echo", echo)).toThrow(DuplicateToolError);
    expect(() => registry.register("echo", echo)).toThrow(/another name, or unregister/);
  });
});

describe("createAgent takes", () => {
  it("a model alone", async () => {
    const session = await createAgent({ model: scriptedModel([reply.text("Hello!")]) }).session();
    expect((await session.prompt("Hi")).text).toBe("Hello!");
    await session.close();
  });

  it("options that are undefined for ones that are not given", () => {
    expect(() => createAgent({ model, tools: undefined, timeouts: { toolMs: undefined }, storage: undefined, maxSteps: undefined, clock: undefined })).not.toThrow();
  });

  it("a registry that changes while it runs: the next model call sees the change", async () => {
    const registry = createToolRegistry({});
    const scripted = scriptedModel([reply.text("One."), reply.text("Two."), reply.text("Three.")]);
    const session = await createAgent({ model: scripted, tools: registry }).session();
    await session.prompt("1");
    const unregister = registry.register("echo", echo);
    await session.prompt("2");
    unregister();
    await session.prompt("3");
    expect(scripted.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([undefined, ["echo"], undefined]);
    await session.close();
  });

  it("tools in any order, and offers them sorted by name", async () => {
    const scripted = scriptedModel([reply.text("One.")]);
    const session = await createAgent({ model: scripted, tools: { zebra: echo, ant: echo, mole: echo } }).session();
    await session.prompt("1");
    expect(scripted.requests[0]?.tools?.map(({ name }) => name)).toEqual(["ant", "mole", "zebra"]);
    await session.close();
  });
});
