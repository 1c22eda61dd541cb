import { describe, expect, it } from "vitest";
import { findTool } from "../../src/tools/find-tool.ts";

const tools = ["read", "Write", "list", "LIST"].map((name) => ({ name }));

describe("findTool", () => {
  it.each([
    ["read", "read"],
    ["READ", "read"],
    ["write", "Write"],
    ["list", "list"],
    ["LIST", "LIST"],
    ["List", undefined],
    ["nope", undefined],
  ])("for %s finds %s", (name, expected) => {
    expect(findTool(tools, name)?.name).toBe(expected);
  });
});
