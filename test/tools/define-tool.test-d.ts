import { anthropic } from "@ai-sdk/anthropic";
import { dynamicTool, jsonSchema, tool, type ToolExecutionOptions } from "ai";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { compileTool } from "../../src/tools/compile-tool.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { ToolContext } from "../../src/tools/tool-context.ts";
import { createToolRegistry, type ToolRecord } from "../../src/tools/tool-registry.ts";
import type { AnyTool } from "../../src/tools/tool.ts";

const read = defineTool({
  description: "Reads.",
  input: z.object({ path: z.string(), limit: z.coerce.number().default(10) }),
  execute(input, context) {
    expectTypeOf(input).toEqualTypeOf<{ path: string; limit: number }>();
    expectTypeOf(context).toEqualTypeOf<ToolContext>();
    return { text: "x", lines: 1 };
  },
  permission: ({ path }) => ({ patterns: [path] }),
  toModelOutput({ input, output }) {
    expectTypeOf(input.path).toEqualTypeOf<string>();
    expectTypeOf(output).toEqualTypeOf<{ text: string; lines: number }>();
    return { type: "text", value: output.text };
  },
  // An example is what the model may write: the default may be left out.
  examples: [{ path: "a.txt" }],
});

const write = defineTool<{ path: string; text: string }>({
  description: "Writes.",
  input: { type: "object", properties: { path: { type: "string" }, text: { type: "string" } }, required: ["path", "text"] },
  execute(input) {
    expectTypeOf(input).toEqualTypeOf<{ path: string; text: string }>();
  },
});

const schema = { type: "object", properties: { count: { type: "integer" } } } as const;

describe("defineTool", () => {
  it("infers from an AI SDK schema, also a lazy one", () => {
    defineTool({
      description: "d",
      input: jsonSchema<{ count: number }>(schema),
      execute(input) {
        expectTypeOf(input).toEqualTypeOf<{ count: number }>();
      },
    });
    defineTool({
      description: "d",
      input: () => jsonSchema<{ count: number }>(schema),
      execute(input) {
        expectTypeOf(input).toEqualTypeOf<{ count: number }>();
      },
    });
  });

  it("takes a JSON Schema from a constant, read-only or not", () => {
    const loose = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
    defineTool({ description: "d", input: schema, execute: (input) => Object.keys(input) });
    defineTool({ description: "d", input: loose, execute: (input) => Object.keys(input) });
  });

  it("takes asynchronous results and generators", () => {
    const counting = defineTool({
      description: "d",
      input: z.object({}),
      async *execute() {
        yield 1;
        yield await Promise.resolve(2);
      },
    });
    expectTypeOf(counting).toExtend<AnyTool>();
  });

  it("refuses wrong definitions", () => {
    // @ts-expect-error no description
    defineTool({ input: z.object({}), execute: () => "" });
    // @ts-expect-error no execute
    defineTool({ description: "d", input: z.object({}) });
    // @ts-expect-error an example that the schema refuses
    defineTool({ description: "d", input: z.object({ path: z.string() }), execute: () => "", examples: [{ path: 1 }] });
    // @ts-expect-error an unknown action
    defineTool({ description: "d", input: z.object({}), execute: () => "", defaultAction: "never" });
  });
});

describe("a record of tools", () => {
  const sdkTool = tool({ description: "d", inputSchema: z.object({ city: z.string() }), execute: ({ city }) => ({ city }) });
  const dynamic = dynamicTool({ description: "d", inputSchema: z.object({}), execute: () => "x" });
  const tools = {
    read,
    write,
    sdkTool,
    dynamic,
    search: anthropic.tools.webSearch_20250305({}),
    bash: anthropic.tools.bash_20250124({ execute: ({ command }) => command }),
  };

  it("mixes our tools with those of the AI SDK and of providers", () => {
    expectTypeOf(tools).toExtend<ToolRecord>();
    createToolRegistry(tools);
    createToolRegistry([read, write]);
    void compileTool("weather", sdkTool);
  });

  it("keeps each tool's own types", () => {
    expectTypeOf(tools.read.execute).parameter(0).toEqualTypeOf<{ path: string; limit: number }>();
    expectTypeOf(tools.write.execute).parameter(0).toEqualTypeOf<{ path: string; text: string }>();
  });

  it("refuses what is no tool", () => {
    // @ts-expect-error it has nothing to execute
    createToolRegistry({ nothing: { description: "d" } });
  });
});

describe("ToolContext", () => {
  it("is all that an AI SDK tool expects", () => {
    expectTypeOf<ToolContext>().toExtend<ToolExecutionOptions<unknown>>();
  });
});
