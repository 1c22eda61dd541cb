import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseSourceFile, readImportGraph, type ImportGraph } from "./import-graph.ts";
import * as rules from "./layer-rules.ts";

const sourceFolder = fileURLToPath(new URL("../../src", import.meta.url));

const core: rules.EntryPackages = {
  static: ["@ai-sdk/provider", "eventemitter3", "p-queue"],
  dynamic: ["@cfworker/json-schema", "ai", "zod"],
  type: [],
};

/** What the stores on this machine need; the core never does. */
const nodeModules = ["node:crypto", "node:fs", "node:fs/promises", "node:os", "node:path"];

const entries: [entry: string, allowed: rules.EntryPackages][] = [
  ["index.ts", core],
  ["testing/index.ts", core],
  ["storage/file/index.ts", { ...core, static: [...core.static, ...nodeModules, "node:zlib"] }],
  ["storage/postgres/index.ts", core],
  ["storage/sqlite/index.ts", { ...core, static: [...core.static, ...nodeModules, "node:url"], dynamic: [...core.dynamic, "node:sqlite", "better-sqlite3", "libsql"] }],
  ["tools/shell/index.ts", { static: [], dynamic: ["unbash"], type: ["unbash"] }],
  ["tools/workspace/index.ts", { ...core, static: [...core.static, ...nodeModules, "node:string_decoder", "node:url", "node:vm", "node:child_process", "node:dns", "node:http", "node:https", "node:net", "node:stream", "node:zlib"], dynamic: [...core.dynamic, "unbash", "turndown"], type: [...core.type, "unbash"] }],
  ["schema/index.ts", { static: ["zod"], dynamic: [], type: [] }],
];

describe("the source", () => {
  const graph = readImportGraph(sourceFolder);

  test("every folder has its place in a layer", () => {
    expect(rules.unlistedUnits(graph)).toEqual([]);
    const folders = readdirSync(sourceFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !rules.layers.flat().includes(name))).toEqual([]);
  });

  test("imports go down only, and folders of one layer do not know each other", () => {
    expect(rules.danglingImports(graph)).toEqual([]);
    expect(rules.upwardImports(graph)).toEqual([]);
  });

  test("no import leads back to where it came from, not even of types", () => {
    expect(rules.importCycles(graph)).toEqual([]);
  });

  test.each(entries)("%s loads only the packages it is meant to", (entry, allowed) => {
    expect(graph.has(entry)).toBe(true);
    expect(rules.foreignImports(graph, entry, allowed)).toEqual([]);
  });

  test("public names are listed one by one", () => {
    expect(rules.forbiddenExports(graph)).toEqual([]);
  });

  test("every file is short enough to hold one concept", () => {
    expect(rules.overlongFiles(graph)).toEqual([]);
  });
});

describe("the rules can fail", () => {
  const graphOf = (files: Record<string, string>): ImportGraph =>
    new Map(Object.entries(files).map(([path, text]) => [path, parseSourceFile(path, text)]));

  test("a folder without a layer", () => {
    expect(rules.unlistedUnits(graphOf({ "helpers/a.ts": "", "helpers/b.ts": "", "util/a.ts": "" }))).toEqual(["helpers has no layer"]);
  });

  test("an import that goes up, and one that goes sideways", () => {
    const graph = graphOf({
      "message/part.ts": `import type { Session } from "../session/session.ts"`,
      "session/session.ts": `import { Agent } from "../agent/agent.ts"\nimport { part } from "../message/part.ts"`,
      "agent/agent.ts": `import { Session } from "../session/session.ts"`,
      "tools/tool.ts": `export type { Rule } from "../permission/rule.ts"`,
      "permission/rule.ts": `type Tool = import("../tools/tool.ts").Tool`,
    });
    expect(rules.upwardImports(graph)).toEqual([
      "message/part.ts must not import session/session.ts",
      "session/session.ts must not import agent/agent.ts",
      "tools/tool.ts must not import permission/rule.ts",
      "permission/rule.ts must not import tools/tool.ts",
    ]);
  });

  test("an import of a file that is not there", () => {
    expect(rules.danglingImports(graphOf({ "util/a.ts": `import "./b.ts"` }))).toEqual(["util/a.ts imports util/b.ts, which does not exist"]);
  });

  test("a cycle that only types close", () => {
    const graph = graphOf({
      "util/a.ts": `import { b } from "./b.ts"`,
      "util/b.ts": `export { c } from "./c.ts"`,
      "util/c.ts": `import type { A } from "./a.ts"`,
    });
    expect(rules.importCycles(graph)).toEqual(["util/a.ts → util/b.ts → util/c.ts → util/a.ts"]);
  });

  test("a node module or a heavy package behind an entry, however deep", () => {
    const graph = graphOf({
      "index.ts": `export { run } from "./session/run.ts"`,
      "session/run.ts": `import { readFile } from "node:fs"\nimport { type Tool } from "ai"\nimport type { ZodType } from "zod"`,
      "testing/unrelated.ts": `import "node:os"`,
      "model/lazy.ts": `await import("ai")\nawait import("node:crypto")`,
      "agent/create.ts": `import "../model/lazy.ts"`,
    });
    expect(rules.foreignImports(graph, "index.ts", core)).toEqual([
      "session/run.ts (static) imports node:fs, which index.ts must not need",
      "session/run.ts (static) imports ai, which index.ts must not need",
    ]);
    expect(rules.foreignImports(graph, "agent/create.ts", core)).toEqual([
      "model/lazy.ts (dynamic) imports node:crypto, which agent/create.ts must not need",
    ]);
  });

  test("names that become public by accident", () => {
    const graph = graphOf({
      "a.ts": `export * from "./b.ts"`,
      "b.ts": `export default function b() {}`,
      "c.ts": `const c = 1\nexport default c`,
      "d.ts": `export * as everything from "./b.ts"`,
      "e.ts": `export { c as default } from "./c.ts"`,
      "f.ts": `export const fine = 1`,
    });
    expect(rules.forbiddenExports(graph)).toEqual([
      "a.ts has export *",
      "b.ts has export default",
      "c.ts has export default",
      "d.ts has export *",
      "e.ts has export default",
    ]);
  });

  test("a file of 261 lines", () => {
    expect(rules.overlongFiles(graphOf({ "a.ts": "//\n".repeat(260), "b.ts": "//\n".repeat(261) }))).toEqual(["b.ts has 261 lines, more than 260"]);
  });
});
