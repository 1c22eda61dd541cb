import { describe, expect, it } from "vitest";
import { createAgent, defineTool, memoryStorage, type AnyTool, type JSONValue } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";
import { expectDone, start } from "../session-under-test.ts";

/** A tool that remembers where it is, and notes what it was told before each call: by `permission`, and by `execute`. */
function walker(): { walk: AnyTool; told: [JSONValue | undefined, JSONValue | undefined][] } {
  const told: [JSONValue | undefined, JSONValue | undefined][] = [];
  let judged: JSONValue | undefined;
  const walk = defineTool({
    description: "Goes somewhere.",
    input: z.object({ to: z.string() }),
    permission: (_input, { state }) => {
      judged = state;
      return {};
    },
    execute: ({ to }, context) => {
      told.push([judged, { ...context }.state]);
      return to === "" ? { output: "stayed" } : { output: `in ${to}`, state: { cwd: to } };
    },
  });
  return { walk, told };
}

describe("what a tool keeps", () => {
  it("is there at its next calls, when they are judged and when they run, until it gives another", async () => {
    const { walk, told } = walker();
    const script = ["a", "", "b", ""].map((to) => reply.toolCall("walk", { to }));
    const test = await start([...script, reply.text("Done.")], { tools: { walk } });
    await test.session.prompt("Go.");
    const [a, b] = [{ cwd: "a" }, { cwd: "b" }];
    expect(told).toEqual([[undefined, undefined], [a, a], [a, a], [b, b]]);
    expectDone(test);
  });

  it("is not seen by the other calls of its step: they were judged by what was before", async () => {
    const { walk, told } = walker();
    const test = await start([[reply.toolCall("walk", { to: "a" }), reply.toolCall("walk", { to: "" })], reply.text("Done.")], { tools: { walk } });
    await test.session.prompt("Go.");
    expect(told.map(([, state]) => state)).toEqual([undefined, undefined]);
    expectDone(test);
  });

  it("is a copy that the tool may change, and is stored on the part that set it", async () => {
    const seen: unknown[] = [];
    const counter = defineTool({
      description: "Counts.",
      input: z.object({}),
      execute: (_input, context) => {
        // It is what this tool gave.
        const state = (context.state ?? { count: 0 }) as { count: number };
        state.count += 1;
        seen.push(context.state === undefined || context.state === state);
        return { output: String(state.count), state };
      },
    });
    const test = await start([reply.toolCall("counter"), reply.toolCall("counter"), reply.text("Done.")], { tools: { counter } });
    const { messages } = await test.session.prompt("Go.");
    const kept = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" && part.state.status === "completed" ? [part.state.kept] : [])));
    expect(kept).toEqual([{ count: 1 }, { count: 2 }]);
    expect(seen).toEqual([true, true]);
    expectDone(test);
  });

  it("is there after a restart, and after a compaction has hidden the call that set it", async () => {
    const { walk, told } = walker();
    const storage = memoryStorage();
    const open = (script: Parameters<typeof scriptedModel>[0]) => createAgent({ model: scriptedModel(script), storage, tools: { walk }, contextLimits: { context: 100_000, output: 1000 } });
    const first = open([reply.toolCall("walk", { to: "a" }), reply.text("There."), reply.text("Nice."), reply.text("# Summary\nWent to a.")]);
    const session = await first.session({ id: "one" });
    await session.prompt("Go.");
    await session.prompt(`And? ${"Tell me more. ".repeat(3000)}`);
    await session.close();
    const second = open([reply.toolCall("walk", { to: "" }), reply.text("Still there."), reply.text("# Summary\nWent to a."), reply.toolCall("walk", { to: "" }), reply.text("Done.")]);
    const again = await second.session("one");
    await again.prompt("Where are you?");
    expect(told.at(-1)).toEqual([{ cwd: "a" }, { cwd: "a" }]);
    await again.compact();
    const compacted = (await again.messages()).flatMap(({ parts }) => parts.flatMap((part) => (part.type === "compaction" ? [part.toolStates] : [])));
    expect(compacted).toEqual([{ walk: { cwd: "a" } }]);
    await again.prompt("And now?");
    expect(told.at(-1)).toEqual([{ cwd: "a" }, { cwd: "a" }]);
  });
});
