import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { InvalidArgumentError } from "../../src/errors.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { InvalidRequestError, reply, scriptedModel, strictModel } from "throughline/testing";
import { ask, deltasOf, readAll } from "./call-options.ts";

type Prompt = LanguageModelV4CallOptions["prompt"];

const profile = modelProfiles.anthropic;
const question = ask().prompt;
const read: LanguageModelV4FunctionTool = { type: "function", name: "read", inputSchema: { type: "object", properties: {} } };
const callID = "toolu_1";
const call: Prompt = [{ role: "assistant", content: [{ type: "tool-call", toolCallId: callID, toolName: "read", input: {} }] }];
const result: Prompt = [
  { role: "tool", content: [{ type: "tool-result", toolCallId: callID, toolName: "read", output: { type: "text", value: "ok" } }] },
];

async function violationsOf(options: LanguageModelV4CallOptions, rules = profile) {
  const model = strictModel(
    scriptedModel(() => reply.text("ok")),
    rules,
  );
  await model.doStream(options).catch(() => undefined);
  return model.violations;
}

describe("strictModel", () => {
  it("lets a valid request through, and is the wrapped model otherwise", async () => {
    const model = strictModel(scriptedModel([reply.text("ok"), reply.text("again")], { provider: "anthropic.messages", modelId: "m" }), profile);
    const { stream } = await model.doStream({ prompt: [...question, ...call, ...result], tools: [read] });
    expect(deltasOf((await readAll(stream)).parts)).toEqual(["ok"]);
    expect((await model.doGenerate(ask())).content).toEqual([{ type: "text", text: "again" }]);
    expect(model).toMatchObject({ specificationVersion: "v4", provider: "anthropic.messages", modelId: "m" });
    expect(model.calls).toBe(2);
    expect(model.requests).toHaveLength(2);
    expect(model.violations).toEqual([]);
    model.assertDone();
  });

  it("refuses an invalid request before it reaches the wrapped model", async () => {
    const model = strictModel(scriptedModel([reply.text("ok")]), profile);
    const prompt: Prompt = [...question, ...call];
    await expect(model.doStream({ prompt, tools: [read] })).rejects.toMatchObject({ code: "invalid-request" });
    await expect(model.doGenerate({ prompt, tools: [read] })).rejects.toThrow(InvalidRequestError);
    expect(model.calls).toBe(0);
    expect(new Set(model.violations.map((violation) => violation.call))).toEqual(new Set([1, 2]));
  });

  it("lists every finding readably, by its place in the prompt", async () => {
    const model = strictModel(scriptedModel([]), profile);
    const prompt: Prompt = [{ role: "system", content: "Be kind." }, ...question, ...call, { role: "user", content: [{ type: "text", text: "Well?" }] }];
    const error: unknown = await model.doStream({ prompt, toolChoice: { type: "required" } }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(String(error)).toMatch(/\n- prompt\[2\]: .*\n/);
    expect(String(error)).toMatch(/\n- request: The tool choice demands a call/);
  });

  it("takes the rules of the model by itself", async () => {
    const options = { prompt: [...question, ...call, ...result] };
    const openai = strictModel(scriptedModel([reply.text("ok")], { provider: "openai.responses" }));
    await expect(openai.doStream(options)).resolves.toBeDefined();
    const anthropic = strictModel(scriptedModel([reply.text("ok")], { provider: "anthropic.messages" }));
    await expect(anthropic.doStream(options)).rejects.toThrow(/missing-tools/);
  });

  it("keeps the members of a model that is a class instance", async () => {
    class CountingModel {
      readonly specificationVersion = "v4" as const;
      readonly supportedUrls = {};
      readonly modelId = "m";
      readonly #inner = scriptedModel([reply.text("ok")]);
      get provider(): string {
        return this.#inner.provider;
      }
      doStream(options: LanguageModelV4CallOptions) {
        return this.#inner.doStream(options);
      }
      doGenerate(options: LanguageModelV4CallOptions) {
        return this.#inner.doGenerate(options);
      }
      describe(): string {
        return `counting ${this.modelId}`;
      }
    }
    const model = strictModel(new CountingModel(), profile);
    expect(model.describe()).toBe("counting m");
    expect(model.provider).toBe("scripted");
    await expect(model.doStream(ask())).resolves.toBeDefined();
  });
});

describe("the rules beyond the messages", () => {
  const system = { role: "system" as const, content: "Be kind." };

  it.each<[rule: string, options: LanguageModelV4CallOptions, place: number | undefined]>([
    ["system-position", { prompt: [...question, system] }, 1],
    ["blank-system", { prompt: [{ role: "system", content: " \n" }, ...question] }, 0],
    ["tool-name", { prompt: question, tools: [{ ...read, name: "read file" }] }, undefined],
    ["tool-name", { prompt: question, tools: [{ ...read, name: "r".repeat(200) }] }, undefined],
    ["tool-name", { prompt: question, tools: [{ ...read, name: "" }] }, undefined],
    ["repeated-tool-name", { prompt: question, tools: [read, read] }, undefined],
    ["tool-schema", { prompt: question, tools: [{ ...read, inputSchema: { type: "string" } }] }, undefined],
    ["missing-tools", { prompt: [...question, ...call, ...result] }, 1],
    ["tool-choice", { prompt: question, tools: [read], toolChoice: { type: "tool", toolName: "write" } }, undefined],
    ["tool-choice", { prompt: question, toolChoice: { type: "required" } }, undefined],
  ])("%s", async (rule, options, place) => {
    const violations = await violationsOf(options);
    expect(violations.map((violation) => [violation.rule, violation.index])).toEqual([[rule, place]]);
  });

  it.each<[name: string, options: LanguageModelV4CallOptions]>([
    ["system text at the head", { prompt: [system, system, ...question] }],
    ["a tool choice that names a tool", { prompt: question, tools: [read], toolChoice: { type: "tool", toolName: "read" } }],
    ["no tool allowed, and none defined", { prompt: question, toolChoice: { type: "none" } }],
    ["a provider's own tool", { prompt: question, tools: [{ type: "provider", id: "anthropic.web_search", name: "web_search", args: {} }] }],
  ])("allow %s", async (_name, options) => {
    expect(await violationsOf(options)).toEqual([]);
  });

  it("ask for tool definitions only where the provider does", async () => {
    const prompt: Prompt = [...question, ...call, ...result];
    expect(await violationsOf({ prompt }, { ...profile, toolDefinitionsNeeded: false })).toEqual([]);
    expect(await violationsOf({ prompt }, { ...profile, toolDefinitionsNeeded: true })).toMatchObject([{ rule: "missing-tools" }]);
  });
});

describe("wrong use", () => {
  it.each<[string, unknown, unknown, RegExp]>([
    ["no model", undefined, undefined, /strictModel\.model: a model is required/],
    ["a model id", "anthropic/claude", undefined, /strictModel\.model: expected a model object/],
    ["a profile that is a number", scriptedModel([]), 5, /strictModel\.profile: expected an object/],
    ["a profile that lacks rules", scriptedModel([]), { name: "mine" }, /strictModel\.profile: it lacks .*toolName/],
  ])("%s is an InvalidArgumentError", (_what, model, profiled, message) => {
    expect(() => strictModel(model as never, profiled as never)).toThrow(message);
    expect(() => strictModel(model as never, profiled as never)).toThrow(InvalidArgumentError);
  });
});
