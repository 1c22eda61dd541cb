import { describe, expect, it } from "vitest";
import { closestNames } from "../../src/tools/closest-names.ts";

const names = ["read_file", "write_file", "list_directory", "bash", "grep", "glob"];

describe("closestNames", () => {
  it.each([
    ["raed_file", ["read_file"]],
    ["ReadFile", ["read_file"]],
    ["read-file", ["read_file"]],
    ["read", ["read_file"]],
    ["functions.read_file", ["read_file"]],
    ["Bash", ["bash"]],
    ["bsah", ["bash"]],
    ["gerp", ["grep"]],
    ["fetch_url", []],
    ["", []],
  ])("for %j gives %j", (name, expected) => {
    expect(closestNames(name, names)).toEqual(expected);
  });

  it("gives the closest first, and no more than asked", () => {
    expect(closestNames("read_file1", ["read_file2", "read_file", "read_file3", "reads_file"], 2)).toEqual(["read_file", "read_file2"]);
  });

  it("is quick for a name of any length", () => {
    expect(closestNames("x".repeat(5_000_000), names)).toEqual([]);
  });
});
