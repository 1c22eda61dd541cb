import { describe, expect, it } from "vitest";
import { z } from "zod";
import { InvalidToolError } from "../../src/errors.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const good = { name: "read", description: "Reads.", input: z.object({}), execute: () => "" };

describe("defineTool", () => {
  it("returns the definition", () => {
    expect(defineTool(good)).toBe(good);
  });

  it.each([
    ["no description", { ...good, description: undefined }, /"read".*no description/],
    ["a blank description", { ...good, description: " " }, /no description/],
    ["no input", { ...good, input: undefined }, /no input schema.*zod object/],
    ["an input that is no schema", { ...good, input: "string" }, /no input schema/],
    ["nothing to execute", { ...good, execute: undefined }, /nothing to execute.*Set execute/],
    ["a name that is no string", { ...good, name: 5 }, /name must be a string/],
    ["a timeout of zero", { ...good, timeoutMs: 0 }, /timeoutMs/],
    ["a timeout that is no number", { ...good, timeoutMs: Number.NaN }, /timeoutMs/],
    ["an endless timeout", { ...good, timeoutMs: Infinity }, /timeoutMs/],
    ["an unknown default action", { ...good, defaultAction: "never" }, /defaultAction/],
    ["a permission that is no function", { ...good, permission: "x" }, /permission must be of type function/],
    ["no definition", undefined, /^This tool: is not an object/],
  ])("refuses %s at once", (_, definition, message) => {
    const attempt = () => defineTool(definition as never);
    expect(attempt).toThrow(InvalidToolError);
    expect(attempt).toThrow(message);
  });
});
