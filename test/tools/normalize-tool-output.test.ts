import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeToolOutput } from "../../src/tools/normalize-tool-output.ts";

const tool = { name: "read" };

describe("normalizeToolOutput", () => {
  it.each<[string, unknown, object]>([
    ["a string", "hello", { output: "hello" }],
    ["a lone surrogate", "a\ud800", { output: "a\ufffd" }],
    ["nothing", undefined, { output: "" }],
    ["null", null, { output: "" }],
    ["an empty string", "", { output: "" }],
    ["an object", { a: 1n }, { output: '{"a":"1"}', modelOutput: { type: "json", value: { a: "1" } } }],
    ["a number", 5, { output: "5", modelOutput: { type: "json", value: 5 } }],
    ["false", false, { output: "false", modelOutput: { type: "json", value: false } }],
    ["a date", new Date(0), { output: "1970-01-01T00:00:00.000Z" }],
    ["a structured result", { title: "a.txt", output: "text", metadata: { at: new Date(0) } }, { title: "a.txt", output: "text", metadata: { at: "1970-01-01T00:00:00.000Z" } }],
    ["a structured result with data", { output: [1] }, { output: "[1]", modelOutput: { type: "json", value: [1] } }],
    ["metadata that is no object", { output: "x", metadata: [1] }, { output: "x", metadata: {} }],
  ])("takes %s", (_, value, expected) => {
    expect(normalizeToolOutput(value, tool)).toEqual({ title: "read", metadata: {}, ...expected });
  });

  it("keeps all of a value that merely has an output field", () => {
    expect(normalizeToolOutput({ output: "text", exitCode: 1 }, tool).modelOutput).toEqual({ type: "json", value: { output: "text", exitCode: 1 } });
  });

  it("uses the tool's title where the result has none", () => {
    expect(normalizeToolOutput("x", { name: "read", title: "Read a file" }).title).toBe("Read a file");
  });

  it("takes attachments as URL, base64 or bytes", () => {
    const attachments = [
      { mime: "image/png", url: "https://example.com/a.png", filename: "a.png" },
      { mediaType: "image/png", data: "AQ==" },
      { mime: "image/png", data: new Uint8Array([1]) },
      { mime: "image/png", url: new URL("https://example.com/b.png") },
    ];
    expect(normalizeToolOutput({ output: "", attachments }, tool).attachments).toEqual([
      { mime: "image/png", url: "https://example.com/a.png", filename: "a.png" },
      { mime: "image/png", url: "data:image/png;base64,AQ==" },
      { mime: "image/png", url: "data:image/png;base64,AQ==" },
      { mime: "image/png", url: "https://example.com/b.png" },
    ]);
  });

  it("says when an attachment cannot be used", () => {
    const normalized = normalizeToolOutput({ output: "text", attachments: [{ mime: "image/png" }, null, { url: "x" }] }, tool);
    expect(normalized.attachments).toBeUndefined();
    expect(normalized.output).toMatch(/^text\n\[3 attachments left out/);
  });

  it("keeps the media of an AI SDK content result, and describes it for people", () => {
    const value = { type: "content", value: [{ type: "text", text: "Seen:" }, { type: "file", mediaType: "image/png", filename: "a.png", data: { type: "data", data: new Uint8Array([1]) } }] };
    expect(normalizeToolOutput(value, tool)).toMatchObject({
      output: 'Seen:\n[image/png "a.png"]',
      modelOutput: { type: "content", value: [{ type: "text" }, { type: "file", mediaType: "image/png", data: { type: "data", data: "AQ==" } }] },
    });
  });

  it("never throws, and gives JSON, for any value", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ output: fc.anything(), metadata: fc.anything(), attachments: fc.anything() })), (value) => {
        const normalized = normalizeToolOutput(value, tool);
        expect(typeof normalized.output).toBe("string");
        expect(() => JSON.stringify(normalized)).not.toThrow();
      }),
    );
  });

  it("survives a value that cannot be looked at", () => {
    const hostile = new Proxy({}, { has: () => { throw new Error("hostile"); } });
    expect(normalizeToolOutput(hostile, tool).output).toContain("could not be read");
  });
});
