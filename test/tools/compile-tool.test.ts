import { anthropic } from "@ai-sdk/anthropic";
import { openai } from "@ai-sdk/openai";
import { dynamicTool, jsonSchema, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { InvalidToolError } from "../../src/errors.ts";
import { compileTool } from "../../src/tools/compile-tool.ts";
import type { CompiledTool } from "../../src/tools/compiled-tool.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { ToolContext } from "../../src/tools/tool-context.ts";

const context: ToolContext = {
  toolCallId: "call_1",
  callID: "call_1",
  messages: [],
  abortSignal: new AbortController().signal,
  context: undefined,
  sessionID: "ses_1",
  metadata: {},
  messageID: "msg_1",
  partID: "prt_1",
  turnID: "msg_0",
  agent: "main",
  progress: () => undefined, ask: () => Promise.reject(new Error("nobody is here")),
};

function compiledAtOnce(tool: Parameters<typeof compileTool>[1]): CompiledTool {
  const compiled = compileTool("read", tool);
  if (compiled instanceof Promise) throw new Error("expected a synchronous result");
  return compiled;
}

describe("compileTool", () => {
  it("compiles a zod tool at once, with draft-07 and no $schema", () => {
    const compiled = compiledAtOnce(
      defineTool({ description: "Reads.", input: z.object({ path: z.string(), limit: z.number().default(5) }), execute: () => "" }),
    );
    expect(compiled.inputSchema).toEqual({
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "number", default: 5 } },
      required: ["path"],
    });
    expect(compiled).toMatchObject({ name: "read", description: "Reads.", readOnly: false, idempotent: false });
    expect(compiled.parse({ path: "a" })).toEqual({ ok: true, value: { path: "a", limit: 5 } });
  });

  it("waits for asynchronous refinements", async () => {
    const input = z.object({ path: z.string().refine((path) => Promise.resolve(path === "a"), "No such file") });
    const compiled = compiledAtOnce(defineTool({ description: "d", input, execute: () => "" }));
    await expect(compiled.parse({ path: "a" })).resolves.toMatchObject({ ok: true });
    await expect(compiled.parse({ path: "b" })).resolves.toMatchObject({ ok: false, problems: [{ path: ["path"], message: "No such file" }] });
  });

  it("takes any Standard Schema that describes itself", () => {
    const compiled = compiledAtOnce(
      defineTool({
        description: "d",
        input: {
          "~standard": {
            version: 1 as const,
            vendor: "own",
            validate: (value: unknown) => (value === 1 ? { value } : { issues: [{ message: "not one", path: [{ key: "n" }] }] }),
            jsonSchema: { input: ({ target }: { target: string }) => ({ $schema: target, type: "object" }) },
          },
        },
        execute: () => "",
      }),
    );
    expect(compiled.inputSchema).toEqual({ type: "object", properties: {} });
    expect(compiled.parse(2)).toMatchObject({ ok: false, problems: [{ path: ["n"], message: "not one" }] });
  });

  it("refuses a Standard Schema that cannot describe itself", () => {
    const input = { "~standard": { version: 1 as const, vendor: "other", validate: (value: unknown) => ({ value }) } };
    expect(() => compileTool("read", defineTool({ description: "d", input, execute: () => "" }))).toThrow(/of other.*JSON Schema/);
  });

  it("refuses a schema that JSON cannot express, and says what to do", () => {
    const attempt = () => compileTool("read", defineTool({ description: "d", input: z.object({ at: z.date() }), execute: () => "" }));
    expect(attempt).toThrow(InvalidToolError);
    expect(attempt).toThrow(/"read".*Date.*convert in execute/);
  });

  it("refuses an input that is no object", () => {
    expect(() => compileTool("read", defineTool({ description: "d", input: z.string(), execute: () => "" }))).toThrow(/"string".*wrap/);
  });

  it("writes the object type out over a union", () => {
    const input = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    const compiled = compiledAtOnce(defineTool({ description: "d", input, execute: () => "" }));
    expect(compiled.inputSchema).toMatchObject({ type: "object", anyOf: [{}, {}] });
  });

  it("closes the objects of a strict tool", () => {
    const input = z.object({ list: z.array(z.object({ a: z.string() })), open: z.looseObject({}) });
    const strict = compiledAtOnce(defineTool({ description: "d", input, strict: true, execute: () => "" }));
    expect(strict.inputSchema).toMatchObject({
      additionalProperties: false,
      properties: { list: { items: { additionalProperties: false } }, open: { additionalProperties: {} } },
    });
  });

  it("compiles a JSON Schema with a validator of its own", async () => {
    const input = { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false };
    const compiled = await compileTool("read", defineTool({ description: "d", input: Object.freeze(input), execute: () => "" }));
    expect(compiled.inputSchema).toEqual(input);
    expect(compiled.parse({ path: "a" })).toEqual({ ok: true, value: { path: "a" } });
    expect(compiled.parse({ extra: 1 })).toEqual({
      ok: false,
      problems: [
        { path: ["path"], message: "This field is required.", expected: "string" },
        { path: [], message: 'There is no field "extra".', found: { extra: 1 }, expected: "object with path (required)" },
      ],
    });
  });

  it.each([
    ["zod mini", mini.object({ path: mini.string() })],
    ["a lazy schema", () => jsonSchema({ type: "object", properties: { path: { type: "string" } }, required: ["path"] })],
    ["a schema that comes later", jsonSchema(() => Promise.resolve({ type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const))],
  ])("takes %s", async (_, input) => {
    const compiled = await compileTool("read", defineTool({ description: "d", input: input as never, execute: () => "" }));
    expect(compiled.inputSchema).toMatchObject({ type: "object", properties: { path: { type: "string" } }, required: ["path"] });
    expect(await compiled.parse({ path: "a" })).toEqual({ ok: true, value: { path: "a" } });
    expect(await compiled.parse({ path: 1 })).toMatchObject({ ok: false, problems: [{ path: ["path"], found: 1, expected: "string" }] });
  });

  it("uses the validation of an AI SDK schema", async () => {
    const input = jsonSchema<{ n: number }>(
      { type: "object" },
      { validate: (value) => (value === 1 ? { success: true, value: { n: 1 } } : { success: false, error: new Error("not one") }) },
    );
    const compiled = compiledAtOnce(defineTool({ description: "d", input, execute: () => "" }));
    expect(await compiled.parse(1)).toEqual({ ok: true, value: { n: 1 } });
    expect(await compiled.parse(2)).toMatchObject({ ok: false, problems: [{ path: [], message: "not one" }] });
  });

  it("reports a schema that cannot be checked instead of running the tool unchecked", async () => {
    const compiled = await compileTool("read", defineTool({ description: "d", input: { $ref: "#/definitions/none" }, execute: () => "" }));
    expect(compiled.parse({})).toMatchObject({ ok: false, problems: [{ message: expect.stringMatching(/own schema cannot be checked/) as string }] });
  });

  it("runs an AI SDK tool as it is", () => {
    const compiled = compiledAtOnce(
      tool({
        description: () => "Weather.",
        inputSchema: z.object({ city: z.string() }),
        inputExamples: [{ input: { city: "Bern" } }],
        execute: ({ city }, { toolCallId }) => `${city} ${toolCallId}`,
        toModelOutput: ({ output }) => ({ type: "text", value: output }),
      }),
    );
    expect(compiled).toMatchObject({ description: "Weather.", inputExamples: [{ input: { city: "Bern" } }] });
    expect(compiled.execute?.({ city: "Bern" }, context)).toBe("Bern call_1");
    expect(compiled.toModelOutput?.({ toolCallId: "c", input: {}, output: "x" })).toEqual({ type: "text", value: "x" });
  });

  it("runs a dynamic tool", () => {
    const compiled = compiledAtOnce(dynamicTool({ description: "d", inputSchema: z.object({}), execute: () => "done" }));
    expect(compiled.execute?.({}, context)).toBe("done");
  });

  it("asks before an AI SDK tool that needs approval, or by the function that says so", () => {
    const guarded = { description: "d", inputSchema: z.object({}), needsApproval: true, execute: () => "" };
    expect(compiledAtOnce(tool(guarded))).toMatchObject({ defaultAction: "ask", needsApproval: undefined });
    const judging = { ...guarded, needsApproval: () => true };
    const compiled = compiledAtOnce(tool(judging));
    expect(compiled.defaultAction).toBeUndefined();
    expect(compiled.needsApproval?.({}, { toolCallId: "c", messages: [], context: undefined })).toBe(true);
  });

  it("passes a provider's tool on by id", () => {
    const compiled = compiledAtOnce(anthropic.tools.webSearch_20250305({ maxUses: 2 }));
    expect(compiled.provider).toEqual({ id: "anthropic.web_search_20250305", args: { maxUses: 2 } });
    expect(compiled.execute).toBeUndefined();
  });

  it("checks the input of a provider's tool that runs here", async () => {
    const compiled = compiledAtOnce(anthropic.tools.bash_20250124({ execute: () => "" }));
    expect(await compiled.parse({ command: "ls" })).toEqual({ ok: true, value: { command: "ls" } });
    expect(await compiled.parse({ command: 5 })).toMatchObject({ ok: false, problems: [{ path: ["command"] }] });
  });

  it("knows a provider's tool that takes plain text", () => {
    expect(compiledAtOnce(openai.tools.customTool({ execute: () => "" }))).toMatchObject({ textInput: true });
  });

  it("refuses a description function that throws", () => {
    const broken = tool({
      description: ({ context }) => context.user.name,
      inputSchema: z.object({}),
      contextSchema: z.object({ user: z.object({ name: z.string() }) }),
      execute: () => "",
    });
    expect(() => compileTool("read", broken)).toThrow(/description function threw/);
  });

  it("says what leave a call needs", () => {
    const base = { description: "d", input: z.object({ path: z.string() }), execute: () => "" };
    expect(compiledAtOnce(defineTool(base)).permission).toBeUndefined();
    const withPaths = defineTool({ ...base, permission: ({ path }) => ({ permission: "file", patterns: [path] }) });
    expect(compiledAtOnce(withPaths).permission?.({ path: "a" }, { ...context, state: undefined })).toEqual({ permission: "file", patterns: ["a"] });
  });

  it("calls a tool's methods on the tool", () => {
    class Counter {
      readonly description = "Counts.";
      readonly input = z.object({});
      #count = 0;
      execute(): number {
        this.#count += 1;
        return this.#count;
      }
    }
    const compiled = compiledAtOnce(new Counter());
    compiled.execute?.({}, context);
    expect(compiled.execute?.({}, context)).toBe(2);
  });
});
