import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as fileSystem from "node:fs/promises";
import * as ai from "ai";
import * as throughline from "throughline";
import type { LanguageModel } from "throughline";
import * as testing from "throughline/testing";
import { reply, scriptedModel, strictModel, type Script } from "throughline/testing";
import * as workspaceTools from "throughline/tools/workspace";
import { describe, expect, test } from "vitest";
import * as zod from "zod";
import { codeBlocks } from "./markdown.ts";
import { runCode } from "./run-code.ts";
import { typeErrors } from "./type-check.ts";
import { sqliteStorage } from "throughline/storage/sqlite";

const readme = readFileSync("README.md", "utf8");
const blocks = codeBlocks(readme).filter(({ language }) => language === "ts");

/** What the model says in a block, and what the block shows. */
interface Scenario {
  script: Script;
  output: RegExp;
}

/** One for each block, by the heading above it. */
const scenarios: Record<string, Scenario> = {
  Throughline: {
    script: [
      reply.toolCall("read_file", { path: "package.json" }),
      (request) => reply.text(`It read: ${JSON.stringify(request.prompt.at(-1)).slice(0, 200)}`),
    ],
    output: /^It read: .*throughline/,
  },
  "Sessions and turns": { script: (_request, index) => (index === 0 ? reply.text("Two fixes.") : reply.stall()), output: /^Two fixes\.$/ },
  "Structured output": { script: [reply.toolCall("StructuredOutput", { title: "1.3", fixes: ["a", "b"] })], output: /^1\.3 2\n$/ },
  Events: {
    script: [reply.toolCall("list_files"), reply.text("Three.")],
    output: /list_files: completed after [\d.]+ ms\n(.*\n)*ses_\w+ turn\.finished/,
  },
  "For a client that comes and goes": { script: [reply.text("Three.")], output: /^(forget everything\n)?user\n(.*\n)*$/ },
  Tools: {
    script: [
      [reply.toolCall("search", { word: "start" }), reply.toolCall("shout", { text: "hey" }), reply.toolCall("ping")],
      (request) => {
        const results = JSON.stringify(request.prompt.at(-1));
        for (const result of ["Slow start on Windows", "HEY", "pong"]) expect(results).toContain(result);
        return reply.text("Both.");
      },
    ],
    output: /^$/,
  },
  "Workspace tools": {
    script: [
      (request) => {
        expect(JSON.stringify(request.prompt)).toContain("The user attached package.json");
        return reply.toolCall("read", { filePath: "package.json", limit: 3 });
      },
      (request) => {
        expect(JSON.stringify(request.prompt.at(-1))).toContain('2:   \\"name\\": \\"throughline');
        return reply.text("A session engine.");
      },
    ],
    output: /^$/,
  },
  Permissions: {
    script: [
      reply.toolCall("write_file", { path: "secrets/key.txt", text: "" }),
      (request) => {
        expect(JSON.stringify(request.prompt.at(-1))).toContain("not permitted");
        return reply.text("I may not.");
      },
    ],
    output: /^$/,
  },
  Asks: {
    script: [
      reply.toolCall("deploy", { version: "1.5.0" }),
      (request) => {
        expect(JSON.stringify(request.prompt.at(-1))).toContain("1.5.0 is live.");
        return reply.text("It is live.");
      },
    ],
    output: /^Deploy 1\.5\.0 Users get it at once\. \[object Object\]\n \n$/,
  },
  "After a crash": { script: [], output: /^$/ },
  "Long conversations": { script: [reply.text(`All read. ${"It is long. ".repeat(100)}`), reply.text("All of it was read.")], output: /^\d+ tokens before, \d+ after\n$/ },
  "A stable prefix": { script: [], output: /^$/ },
  Errors: { script: [reply.error(new Error("invalid key"))], output: /^unknown false \n$/ },
  "Testing your agent": { script: [], output: /^$/ },
  "A timeout that takes no time": { script: [], output: /^$/ },
  "When the process dies, or the storage fails": { script: [], output: /^$/ },
  "With node:test, and a model that fails": { script: [], output: /^$/ },
  "Without a session": {
    script: [
      reply.toolCall("list_files"),
      (request) => {
        expect(JSON.stringify(request.prompt.at(-1))).toContain("b.ts");
        return reply.text("Two.");
      },
    ],
    output: /step\.started\n(.*\n)*tool\.finished\n(.*\n)*step\.started\n/,
  },
  Storage: { script: [reply.text("I do.")], output: /^$/ },
  "Your own storage": { script: [], output: /^$/ },
};

const listFiles = throughline.defineTool({ description: "Lists the files.", input: zod.z.object({}), execute: () => ["a", "b", "c"] });

/** Runs a block as its reader would, with a scripted model. Resolves with what it printed. */
async function run(code: string, model: LanguageModel): Promise<string> {
  const agent = throughline.createAgent({ model, tools: { list_files: listFiles } });
  const tests: (() => Promise<void>)[] = [];
  const collect = (_name: string, body: () => Promise<void>): number => tests.push(body);
  let printed = "";
  const print = (...values: unknown[]): void => {
    printed += `${values.join(" ")}\n`;
  };
  const write = (text: string): void => {
    printed += text;
  };
  await runCode(code, {
    modules: {
      "node:assert/strict": assert,
      "node:fs/promises": fileSystem,
      "node:test": { test: collect },
      "@ai-sdk/anthropic": { anthropic: () => model },
      ai,
      throughline,
      "throughline/storage/sqlite": { sqliteStorage: () => sqliteStorage(":memory:") },
      "throughline/testing": testing,
      "throughline/tools/workspace": workspaceTools,
      vitest: { expect, test: collect, it: collect, describe: (_name: string, body: () => void) => { body(); } },
      zod,
    },
    globals: { model, agent, session: await agent.session(), console: { log: print }, process: { stdout: { write } } },
  });
  for (const body of tests) await body();
  await agent.close();
  return printed;
}

describe("the code in README.md", () => {
  test("has a scenario for each block, and a block for each scenario", () => {
    expect(blocks.map(({ heading }) => heading)).toEqual(Object.keys(scenarios));
  });

  test.each(blocks.map(({ heading, code }) => [heading, code] as const))("runs: %s", async (heading, code) => {
    const { script, output } = scenarios[heading] ?? { script: [], output: /^$/ };
    const model = strictModel(scriptedModel(script));
    expect(await run(code, model)).toMatch(output);
    model.assertDone();
    expect(model.violations).toEqual([]);
  });

  test("compiles with the strict settings of this project; an error would be noticed", { timeout: 60_000 }, () => {
    const errors = typeErrors([...blocks.map(({ code }) => code), "session.prompt(5);"]);
    expect(errors).toEqual([expect.stringContaining(`block-${blocks.length}.ts: Argument of type 'number'`)]);
  });

  test("begins with at most ten lines", () => {
    const lines = blocks[0]?.code.split("\n").filter((line) => line.trim() !== "") ?? [];
    expect(lines.length).toBeLessThanOrEqual(10);
  });
});

test("a block that does not run would be noticed", async () => {
  const model = scriptedModel([]);
  await expect(run(`import { nothing } from "nowhere";`, model)).rejects.toThrow("nowhere");
  await expect(run("await session.prompt();", model)).rejects.toThrow("expected a text");
});
