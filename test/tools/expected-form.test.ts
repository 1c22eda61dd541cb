import type { JSONSchema7 } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { expectedForm } from "../../src/tools/expected-form.ts";

const formOf = (property: object) => expectedForm({ type: "object", properties: { field: property } }, ["field"]);

describe("expectedForm", () => {
  it.each<[JSONSchema7, string]>([
    [{ type: "string" }, "string"],
    [{ type: "string", minLength: 1 }, "string, at least 1 characters"],
    [{ type: "string", format: "uri", pattern: "^https:" }, "string (uri) matching ^https:"],
    [{ type: ["string", "null"] }, "string or null"],
    [{ type: "number", exclusiveMinimum: 0 }, "number above 0"],
    [{ type: "integer", maximum: 5 }, "integer, at most 5"],
    [{ const: "a" }, '"a"'],
    [{ enum: ["a", 1, null] }, 'one of "a", 1, null'],
    [{ type: "array", items: { type: "integer" }, minItems: 1, maxItems: 3 }, "list of: integer from 1 to 3 items"],
    [{ anyOf: [{ type: "string" }, { type: "boolean" }] }, "string, or boolean"],
    [{ type: "object", properties: { a: {}, b: {} }, required: ["b"] }, "object with a, b (required)"],
    [{ type: "boolean", description: "Whether to wait" }, "boolean (Whether to wait)"],
  ])("for %j is %j", (schema, expected) => {
    expect(formOf(schema)).toBe(expected);
  });

  it("does not show the bounds of safe integers", () => {
    const schema = z.toJSONSchema(z.object({ field: z.number().int() }), { target: "draft-7" }) as JSONSchema7;
    expect(expectedForm(schema, ["field"])).toBe("integer");
  });

  it("follows lists, alternatives and references", () => {
    const schema: JSONSchema7 = {
      type: "object",
      properties: { nodes: { type: "array", items: { anyOf: [{ type: "null" }, { $ref: "#/definitions/node" }] } } },
      definitions: { node: { type: "object", properties: { next: { $ref: "#/definitions/node" }, name: { type: "string" } } } },
    };
    expect(expectedForm(schema, ["nodes", 3, "next", "next", "name"])).toBe("string");
    expect(expectedForm(schema, ["nodes", 3])).toBe("null, or object with next, name");
  });

  it("ends for a reference to itself", () => {
    expect(expectedForm({ properties: { a: { $ref: "#/definitions/a" } }, definitions: { a: { anyOf: [{ $ref: "#/definitions/a" }] } } }, ["a"])).toBe("…");
  });

  it("knows nothing where the schema says nothing", () => {
    expect(expectedForm({ type: "object", properties: {} }, ["constructor"])).toBeUndefined();
    expect(expectedForm({ type: "object" }, [0, "a"])).toBeUndefined();
  });

  it("is cut when it is long", () => {
    expect(formOf({ enum: Array.from({ length: 500 }, (_, index) => `value ${index}`) })?.length).toBeLessThanOrEqual(301);
  });
});
