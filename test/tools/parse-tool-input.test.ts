import { openai } from "@ai-sdk/openai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileTool } from "../../src/tools/compile-tool.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { parseToolInput } from "../../src/tools/parse-tool-input.ts";

const read = await compileTool(
  "read",
  defineTool({
    description: "d",
    input: z.object({
      path: z.string().describe("Path of the file"),
      limit: z.number().int().min(1).max(2000).default(100),
      mode: z.enum(["text", "bytes"]).optional(),
      ranges: z.array(z.object({ from: z.number() })).optional(),
    }),
    execute: () => "",
  }),
);
const readByJSONSchema = await compileTool(
  "read",
  defineTool({
    description: "d",
    input: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file" },
        limit: { type: "integer", minimum: 1, maximum: 2000 },
        mode: { enum: ["text", "bytes"] },
        ranges: { type: "array", items: { $ref: "#/$defs/range" } },
        source: { anyOf: [{ type: "string" }, { type: "object", properties: { url: { type: "string" } }, required: ["url"] }] },
        "a/b": { type: "string" },
      },
      required: ["path"],
      additionalProperties: false,
      $defs: { range: { type: "object", properties: { from: { type: "number" } }, required: ["from"] } },
    },
    execute: () => "",
  }),
);
const free = await compileTool("free", defineTool({ description: "d", input: z.looseObject({}), execute: () => "" }));

describe("parseToolInput", () => {
  it("keeps what the model wrote, and gives the tool what the schema makes of it", async () => {
    expect(await parseToolInput(read, '{"path":"a"}')).toEqual({ ok: true, input: { path: "a" }, value: { path: "a", limit: 100 }, textInput: false });
  });

  it.each(["", "  \n"])("takes no arguments (%j) for an empty object", async (raw) => {
    expect(await parseToolInput(free, raw)).toMatchObject({ ok: true, input: {} });
  });

  it("unwraps an object that was written as a string", async () => {
    expect(await parseToolInput(read, JSON.stringify('{"path":"a"}'))).toMatchObject({ ok: true, input: { path: "a" } });
  });

  it.each([
    ["[1]", /must be a JSON object, and was \[1\].*again with an object/s],
    ["null", /was null/],
    ["5", /was 5/],
    ['"hello"', /was "hello"/],
  ])("refuses %s, which is no object", async (raw, error) => {
    expect(await parseToolInput(read, raw)).toEqual({ ok: false, input: {}, raw, error: expect.stringMatching(error) as string });
  });

  it("refuses broken JSON, shows its start and keeps it", async () => {
    const raw = `{"path": "${"x".repeat(500)}`;
    const outcome = await parseToolInput(read, raw);
    expect(outcome).toMatchObject({ ok: false, input: {}, raw });
    expect(outcome).toMatchObject({ error: expect.stringMatching(/"read" is not valid JSON.*It began with: \{"path".*one complete JSON object/s) as string });
    expect(JSON.stringify(outcome).length).toBeLessThan(1200);
  });

  it("names every field that is wrong, its value, and what is expected", async () => {
    const outcome = await parseToolInput(read, '{"limit":7000,"mode":"image","ranges":[{"from":1},{"from":"2"}]}');
    expect(outcome).toEqual({
      ok: false,
      input: { limit: 7000, mode: "image", ranges: [{ from: 1 }, { from: "2" }] },
      error: [
        'The input of tool "read" is not valid, so the tool was not run.',
        "- path: missing. Invalid input: expected string, received undefined. Expected: string (Path of the file).",
        "- limit: is 7000. Too big: expected number to be <=2000. Expected: integer from 1 to 2000.",
        '- mode: is "image". Invalid option: expected one of "text"|"bytes". Expected: one of "text", "bytes".',
        '- ranges[1].from: is "2". Invalid input: expected number, received string. Expected: number.',
        'Correct this and call "read" again.',
      ].join("\n"),
    });
  });

  it("says the same for a JSON Schema", async () => {
    const raw = '{"limit":7000,"mode":"image","ranges":[{"from":1},{"from":"2"}],"source":5,"extra":1,"a/b":2}';
    const outcome = await parseToolInput(readByJSONSchema, raw);
    const lines = outcome.ok ? [] : outcome.error.split("\n").slice(1, -1);
    expect(new Set(lines)).toEqual(
      new Set([
        "- path: missing. This field is required. Expected: string (Path of the file).",
        "- limit: is 7000. 7000 is greater than 2000. Expected: integer from 1 to 2000.",
        '- mode: is "image". The value is not one of those allowed. Expected: one of "text", "bytes".',
        '- ranges[1].from: is "2". The value has the wrong type. Expected: number.',
        "- source: is 5. The value fits none of the allowed forms, or more than one. Expected: string, or object with url (required).",
        "- a/b: is 2. The value has the wrong type. Expected: string.",
        `- input: is ${raw}. There is no field "extra". Expected: object with path (required), limit, mode, ranges, source, a/b.`,
      ]),
    );
  });

  it("shows only the first of very many problems", async () => {
    const ranges = Array.from({ length: 500 }, () => ({ from: "x" }));
    const outcome = await parseToolInput(read, JSON.stringify({ path: "a", ranges }));
    expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining("and 490 more") as string });
  });

  it("does not take a name that every object has for a field", async () => {
    const strict = await compileTool("t", defineTool({ description: "d", input: z.strictObject({}), execute: () => "" }));
    const outcome = await parseToolInput(strict, '{"constructor":1}');
    expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining("constructor") as string });
  });

  it("gives the tool nothing that sets a prototype", async () => {
    const outcome = await parseToolInput(free, '{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true}}}');
    expect(outcome).toMatchObject({ ok: true });
    expect(JSON.stringify(outcome)).not.toContain("admin");
  });

  it("refuses when the schema's own code throws", async () => {
    const throwing = await compileTool(
      "t",
      defineTool({
        description: "d",
        input: z.object({}).refine(() => {
          throw new Error("broken check");
        }),
        execute: () => "",
      }),
    );
    expect(await parseToolInput(throwing, "{}")).toMatchObject({ ok: false, error: expect.stringContaining("broken check") as string });
  });

  it("stores the input as it was, whatever a transform does to its copy", async () => {
    const input = z.object({ list: z.array(z.string()).transform((list) => list.splice(0)) });
    const changing = await compileTool("t", defineTool({ description: "d", input: z.preprocess((raw) => { Object.assign(raw as object, { list: ["changed"] }); return raw; }, input), execute: () => "" }));
    expect(await parseToolInput(changing, '{"list":["a"]}')).toMatchObject({ input: { list: ["a"] }, value: { list: ["changed"] } });
  });

  it("takes plain text where the tool does", async () => {
    const custom = await compileTool("custom", openai.tools.customTool({ execute: () => "" }));
    expect(await parseToolInput(custom, '"SELECT 1"')).toEqual({ ok: true, input: { value: "SELECT 1" }, value: "SELECT 1", textInput: true });
    expect(await parseToolInput(custom, "SELECT 1")).toMatchObject({ ok: true, value: "SELECT 1" });
  });

  it("never throws, and stores well-formed JSON, for any text", async () => {
    const anyRaw = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.json().map((json) => JSON.stringify(json)), fc.constant('{"a":"\\ud800"}'));
    await fc.assert(
      fc.asyncProperty(anyRaw, fc.constantFrom(read, readByJSONSchema, free), async (raw, tool) => {
        const { input } = await parseToolInput(tool, raw);
        expect(JSON.parse(JSON.stringify(input))).toEqual(input);
        expect(JSON.stringify(input)).not.toMatch(/\\ud[89a-f]/);
      }),
    );
  });
});
