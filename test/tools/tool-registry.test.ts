import { anthropic } from "@ai-sdk/anthropic";
import { openai } from "@ai-sdk/openai";
import { tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DuplicateToolError, InvalidArgumentError, InvalidToolError } from "../../src/errors.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { createToolRegistry } from "../../src/tools/tool-registry.ts";
import type { LogRecord } from "../../src/util/logger.ts";

const make = (name?: string) => defineTool({ ...(name !== undefined && { name }), description: "d", input: z.object({}), execute: () => "" });

describe("createToolRegistry", () => {
  it("lists tools by name, whatever the order of registration", () => {
    const registry = createToolRegistry({ write: make(), Read: make(), list: make(), a_b: make(), a: make() });
    expect(registry.list().map(({ name }) => name)).toEqual(["Read", "a", "a_b", "list", "write"]);
  });

  it("takes a list of named tools", () => {
    const read = make("read");
    expect(createToolRegistry([read]).get("read")).toBe(read);
  });

  it("lets a record's key win over the tool's own name", () => {
    const registry = createToolRegistry({ readFile: make("read") });
    expect(registry.get("readFile")).toBeDefined();
    expect(registry.get("read")).toBeUndefined();
  });

  it("takes tools of the AI SDK and of providers", () => {
    const registry = createToolRegistry({
      weather: tool({ description: "d", inputSchema: z.object({}), execute: () => "" }),
      search: anthropic.tools.webSearch_20250305({}),
    });
    expect(registry.list()).toHaveLength(2);
  });

  it("does not find what every object has", () => {
    expect(createToolRegistry().get("constructor")).toBeUndefined();
  });

  it("refuses a second tool of one name, and keeps the first", () => {
    const first = make("read");
    const registry = createToolRegistry([first]);
    expect(() => registry.register(make("read"))).toThrow(DuplicateToolError);
    expect(registry.get("read")).toBe(first);
  });

  it.each([
    ["no name", () => createToolRegistry([make()]), /^This tool: needs a name/],
    ["an empty key", () => createToolRegistry({ "": make() }), /needs a name/],
    ["an illegal name", () => createToolRegistry({ "srv.one/do it": make() }), /srv\.one.*letters, digits/],
    ["a name that starts with a digit", () => createToolRegistry({ "9lives": make() }), /9lives/],
    ["a name that is too long", () => createToolRegistry({ ["x".repeat(65)]: make() }), /64/],
    ["no tool", () => createToolRegistry({ read: undefined as never }), /"read".*not an object/],
    ["an AI SDK tool with nothing to execute", () => createToolRegistry({ read: tool({ inputSchema: z.object({}), outputSchema: z.string() }) }), /nothing to execute/],
    ["a client-side provider tool with nothing to execute", () => createToolRegistry({ custom: openai.tools.customTool({}) }), /nothing to execute/],
  ])("refuses %s", (_, attempt, message) => {
    expect(attempt).toThrow(InvalidToolError);
    expect(attempt).toThrow(message);
  });

  it("refuses what is neither record nor list", () => {
    expect(() => createToolRegistry("read" as never)).toThrow(InvalidArgumentError);
    expect(() => createToolRegistry(null as never)).toThrow(InvalidArgumentError);
  });

  it("unregisters once, and only its own registration", () => {
    const registry = createToolRegistry();
    const unregisterFirst = registry.register("read", make());
    unregisterFirst();
    const second = make();
    registry.register("read", second);
    unregisterFirst();
    expect(registry.get("read")).toBe(second);
    expect(registry.version).toBe(3);
  });

  it("tells listeners of each change, until they stop", () => {
    const registry = createToolRegistry();
    const seen: number[] = [];
    const stop = registry.on("change", () => seen.push(registry.list().length));
    const unregister = registry.register("read", make());
    unregister();
    unregister();
    stop();
    registry.register("read", make());
    expect(seen).toEqual([1, 0]);
  });

  it("survives a listener that throws: the others are called, and the logger is told", () => {
    const records: LogRecord[] = [];
    const registry = createToolRegistry({}, { logger: (record) => records.push(record) });
    let called = 0;
    registry.on("change", () => {
      throw new Error("listener");
    });
    registry.on("change", () => {
      called += 1;
    });
    registry.register("read", make());
    expect(called).toBe(1);
    expect(registry.get("read")).toBeDefined();
    expect(records).toMatchObject([{ level: "error", error: { message: "listener" } }]);
  });

  it("gives a list that later changes do not touch", () => {
    const registry = createToolRegistry({ read: make() });
    const before = registry.list();
    registry.register("write", make());
    expect(before.map(({ name }) => name)).toEqual(["read"]);
  });

  it("refuses a listener for an event that does not exist, and one that is no function", () => {
    const registry = createToolRegistry();
    expect(() => registry.on("bogus" as never, () => undefined)).toThrow(/registry\.on\.event: there is no event "bogus"/);
    expect(() => registry.on("change", 5 as never)).toThrow(/registry\.on\.listener: expected a function, got number/);
  });
});
