import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeModelOutput } from "../../src/tools/normalize-model-output.ts";

const content = (part: object) => normalizeModelOutput({ type: "content", value: [part] });
const file = (mediaType: string, data: object, more = {}) => ({ type: "content", value: [{ type: "file", mediaType, data, ...more }] });

describe("normalizeModelOutput", () => {
  it.each<[unknown, object]>([
    ["plain", { type: "text", value: "plain" }],
    [{ type: "text", value: "a\ud800" }, { type: "text", value: "a\ufffd" }],
    [{ type: "json", value: { at: new Date(0) } }, { type: "json", value: { at: "1970-01-01T00:00:00.000Z" } }],
    [{ type: "error-text", value: "no" }, { type: "error-text", value: "no" }],
    [{ type: "error-json", value: { code: 1n } }, { type: "error-json", value: { code: "1" } }],
    [{ type: "execution-denied", reason: "no" }, { type: "execution-denied", reason: "no" }],
    [{ type: "execution-denied" }, { type: "execution-denied" }],
    [{ some: "data" }, { type: "json", value: { some: "data" } }],
    [undefined, { type: "json", value: null }],
  ])("takes every type (row %#)", (output, expected) => {
    expect(normalizeModelOutput(output)).toEqual(expected);
  });

  it.each<[string, object, object]>([
    ["tagged bytes", { type: "file", mediaType: "image/png", filename: "a", data: { type: "data", data: new Uint8Array([1]) } }, file("image/png", { type: "data", data: "AQ==" }, { filename: "a" })],
    ["bare base64", { type: "file", mediaType: "image/png", data: "AQ==" }, file("image/png", { type: "data", data: "AQ==" })],
    ["a tagged URL", { type: "file", mediaType: "image/png", data: { type: "url", url: new URL("https://example.com/a") } }, file("image/png", { type: "url", url: "https://example.com/a" })],
    ["file-data", { type: "file-data", mediaType: "application/pdf", data: "AQ==" }, file("application/pdf", { type: "data", data: "AQ==" })],
    ["file-url without a type", { type: "file-url", url: "https://example.com/a" }, file("application/octet-stream", { type: "url", url: "https://example.com/a" })],
    ["image-data", { type: "image-data", mediaType: "image/png", data: "AQ==" }, file("image/png", { type: "data", data: "AQ==" })],
    ["image-url", { type: "image-url", url: "https://example.com/a" }, file("image/*", { type: "url", url: "https://example.com/a" })],
    ["media", { type: "media", mediaType: "image/png", data: "AQ==" }, file("image/png", { type: "data", data: "AQ==" })],
    ["an MCP image", { type: "image", mimeType: "image/png", data: "AQ==" }, file("image/png", { type: "data", data: "AQ==" })],
    ["a text document", { type: "file", mediaType: "text/plain", data: { type: "text", text: "doc" } }, { type: "content", value: [{ type: "text", text: "doc" }] }],
    ["what cannot be stored", { type: "file-id", fileId: "x" }, { type: "content", value: [{ type: "text", text: '[content of type "file-id" left out]' }] }],
    ["a provider reference", { type: "file", mediaType: "image/png", data: { type: "reference", reference: {} } }, { type: "content", value: [{ type: "text", text: '[content of type "file" left out]' }] }],
    ["no part at all", [], { type: "content", value: [{ type: "text", text: "[content of type null left out]" }] }],
  ])("takes content: %s", (_, part, expected) => {
    expect(content(part)).toEqual(expected);
  });

  it("never throws, and gives JSON, for any value", () => {
    const anyContent = fc.record({ type: fc.constant("content"), value: fc.array(fc.record({ type: fc.constantFrom("text", "file", "media", "custom"), data: fc.anything(), text: fc.anything() })) });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), anyContent), (output) => {
        expect(() => JSON.stringify(normalizeModelOutput(output))).not.toThrow();
      }),
    );
  });
});
