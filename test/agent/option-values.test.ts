import { describe, expect, it } from "vitest";
import { createAgent, defineTool, InvalidArgumentError, InvalidToolError, modelProfiles } from "throughline";
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
    ["half a storage", { storage: { commit: () => undefined } }, /storage: expected a Storage.*it has no getSession\(\)/],
  ])("%s", (_name, options, message) => {
    const create = (): unknown => createAgent({ model: scriptedModel([]), ...options } as Parameters<typeof createAgent>[0]);
    expect(create).toThrow(InvalidArgumentError);
    expect(create).toThrow(message);
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
    ["a flag that is no boolean", { readOnly: "yes" }, /readOnly must be true or false/],
  ])("%s", (_name, options, message) => {
    const define = (): unknown => defineTool({ ...tool, ...options } as typeof tool);
    expect(define).toThrow(InvalidToolError);
    expect(define).toThrow(message);
  });
});
