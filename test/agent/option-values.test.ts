import { describe, expect, it } from "vitest";
import { createAgent, createToolRegistry, defineTool, InvalidArgumentError, InvalidToolError, modelProfiles, type AnyTool } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";

const tool = { description: "Says hello.", input: z.object({}), execute: () => "hello" };

describe("createAgent refuses a value of the wrong type, and says what it wants", () => {
  it.each([
    ["a profile without rules", { profile: {} }, /profile: it lacks .*alternation.*Spread one of modelProfiles/],
    ["a setting of the wrong type", { settings: { temperature: "hot" } }, /settings.temperature: expected a number, got "hot"/],
    ["a misspelt setting", { settings: { temprature: 1 } }, /settings.temprature: there is no such option.*temperature/],
    ["an unknown reasoning level", { settings: { reasoning: "huge" } }, /settings.reasoning: expected one of .*medium/],
    ["options of a provider that are none", { providerOptions: { openai: 3 } }, /providerOptions.openai: expected an object, got number/],
    ["tools in a map", { tools: new Map([["hello", tool]]) }, /tools: expected an object, got a Map/],
    ["a number as text", { maxSteps: "3" }, /maxSteps: expected a whole number of at least 1, got "3"/],
    ["a list of tools", { tools: [tool] }, /tools: expected an object, got a list\. Write \{ name: tool, … \}, or createToolRegistry/],
    ["a header that is no text", { settings: { headers: { a: 1 } } }, /settings\.headers\.a: expected a text, got number/],
    ["an empty stop sequence", { settings: { stopSequences: [""] } }, /settings\.stopSequences\[0\]: expected a text/],
    ["prices without any", { prices: {} }, /prices\.input: expected a price per million tokens/],
    ["prices without those of the output", { prices: { input: 1 } }, /prices\.output: expected a price/],
    ["a misspelt price", { prices: { input: 1, output: 1, cacheread: 1 } }, /prices\.cacheread: there is no such option.*cacheRead/],
    ["a model without a name", { model: { specificationVersion: "v4", doStream: () => undefined, provider: "p" } }, /model: .*lacks doStream\(\), specificationVersion, provider or modelId/],
    ["a way to ask that is none", { asks: { mode: "deny" } }, /asks\.mode: expected one of hold, release, got "deny"/],
    ["an ask without time", { asks: { timeoutMs: -1 } }, /asks\.timeoutMs: expected a number of milliseconds between 0 and 2147483647, or Infinity/],
    ["half a storage", { storage: { commit: () => undefined } }, /storage: expected a Storage.*it has no getSession\(\)/],
  ])("%s", (_name, options, message) => {
    const create = (): unknown => createAgent({ model: scriptedModel([]), ...options } as Parameters<typeof createAgent>[0]);
    expect(create).toThrow(InvalidArgumentError);
    expect(create).toThrow(message);
  });

  it.each([["a model object", scriptedModel([])], ["a model id", "openai/gpt-5"]])("%s in the place of options", (_name, model) => {
    expect(() => createAgent(model as unknown as Parameters<typeof createAgent>[0])).toThrow(/this is a model, not options\. Did you mean createAgent\(\{ model \}\)\?/);
  });

  it("but takes undefined headers, and prices of 0", () => {
    expect(() => createAgent({ model: scriptedModel([]), settings: { headers: { a: undefined, b: "" } }, prices: { input: 0, output: 0 } })).not.toThrow();
  });

  it("but takes a profile that is spread from another", async () => {
    const agent = createAgent({ model: scriptedModel([reply.text("Hi.")]), profile: { ...modelProfiles.openaiCompatible, name: "mine" }, settings: { temperature: 0, reasoning: "low" } });
    expect((await (await agent.session()).prompt("Hi")).text).toBe("Hi.");
  });
});

describe("agent.session refuses metadata that JSON cannot carry", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  it.each([
    ["a cycle", cyclic],
    ["a bigint", { n: 1n }],
    ["a date", { at: new Date(0) }],
    ["a function", { f: () => 1 }],
  ])("%s", async (_name, metadata) => {
    const agent = createAgent({ model: scriptedModel([]) });
    await expect(agent.session({ metadata } as Parameters<typeof agent.session>[0])).rejects.toThrow(/metadata: expected plain JSON/);
  });
});

describe("defineTool refuses", () => {
  it.each([
    ["a misspelt option", { tiemoutMs: 5 }, /has no option tiemoutMs\. There are: .*timeoutMs/],
    ["examples that are no list", { examples: 5 }, /examples must be a list of inputs/],
    ["an example that is no object", { examples: ["x"] }, /examples must be a list of inputs/],
    ["options of a provider that are none", { providerOptions: 5 }, /providerOptions must be of type object/],
    ["a title that is no text", { title: 5 }, /title must be of type string/],
    ["a flag that is no boolean", { readOnly: "yes" }, /readOnly must be of type boolean/],
  ])("%s", (_name, options, message) => {
    const define = (): unknown => defineTool({ ...tool, ...options } as typeof tool);
    expect(define).toThrow(InvalidToolError);
    expect(define).toThrow(message);
  });
});

describe("a tool of the AI SDK is refused with", () => {
  it.each([
    ["examples that are no list", { inputExamples: 5 }, /inputExamples must be a list of \{ input \}/],
    ["examples without an input", { inputExamples: [{ path: "x" }] }, /inputExamples must be a list of \{ input \}/],
    ["a description that is none", { description: 5 }, /description must be of type string or function/],
    ["an approval that is none", { needsApproval: "yes" }, /needsApproval must be of type boolean or function/],
    ["a hook that is no function", { onInputStart: true }, /onInputStart must be of type function/],
  ])("%s", (_name, options, message) => {
    const sdkTool = { inputSchema: z.object({}), execute: () => "", ...options } as unknown as AnyTool;
    expect(() => createToolRegistry({ sdkTool })).toThrow(InvalidToolError);
    expect(() => createToolRegistry({ sdkTool })).toThrow(message);
  });
});
