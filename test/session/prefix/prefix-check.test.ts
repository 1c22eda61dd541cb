import { describe, expect, it } from "vitest";
import { createAgent, createToolRegistry, defineTool } from "throughline";
import type { AgentOptions, Storage } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";
import { eventsOfType, expectDone, rolesIn, start } from "../session-under-test.ts";
import { summarizing, textOf } from "../compaction/compaction-under-test.ts";

const note = defineTool({ description: "Notes.", input: z.object({ text: z.string() }), execute: ({ text }) => text });
const other = defineTool({ description: "Does something else.", input: z.object({}), execute: () => "ok" });

/** A session whose requests are compared, and what was reported of them. */
async function checked(script: Parameters<typeof start>[0], options: Parameters<typeof start>[1] = {}) {
  const test = await start(script, { checkPrefix: true, ...options });
  return { ...test, changes: () => eventsOfType(test.events, "request.changed").map(({ reason, path }) => `${reason}: ${path}`) };
}

describe("request.changed", () => {
  it("is not sent while requests only grow: steps, turns, steered prompts, the note of the last step", async () => {
    const test = await checked((request) => (rolesIn(request).at(-1) === "tool" ? reply.text("Noted.") : reply.toolCall("note", { text: "a" })), { tools: { note }, instructions: "Be brief." });
    await test.session.prompt("One");
    const turn = test.session.prompt("Two");
    await Promise.all([turn, test.session.prompt("Three", { delivery: "steer" })]);
    await test.session.prompt("Four", { maxSteps: 2 });
    expect(test.changes()).toEqual([]);
    expectDone(test);
  });

  it("names the message, and what changed first: tools, instructions, model", async () => {
    const test = await checked(() => reply.text("Fine."), { tools: { note, other }, instructions: "Be brief." });
    await test.session.prompt("One");
    await test.session.prompt("Two", { permissions: [{ permission: "other", pattern: "*", action: "deny" }] });
    await test.session.prompt("Three");
    await test.session.prompt("Four", { system: "Speak French." });
    await test.session.prompt("Five");
    const another = scriptedModel([reply.text("Fine.")], { modelId: "another" });
    await test.session.prompt("Six", { model: another });
    expect(test.changes()).toEqual(["tools: tools[1]", "tools: tools[1]", "instructions: instructions[1]", "instructions: instructions[1]", "model: model.modelID"]);
    const first = eventsOfType(test.events, "request.changed")[0];
    const answers = (await test.session.messages()).filter(({ info }) => info.role === "assistant");
    expect(first?.messageID).toBe(answers[1]?.info.id);
    expectDone(test);
  });

  it("is not sent for what compaction and pruning change, and is for what changes behind it", async () => {
    const test = await checked(summarizing((_request, count) => reply.text(`Answer ${count}.`)), { contextLimits: { context: 10_000, output: 1_000 }, tools: { note } });
    for (const letter of ["a", "b", "c", "d", "e", "f"]) await test.session.prompt(textOf(2_500, letter));
    expect(eventsOfType(test.events, "session.compacted").length).toBeGreaterThan(0);
    expect(test.changes()).toEqual([]);
    await test.session.prompt("Now in French.", { system: "Speak French." });
    expect(test.changes()).toEqual(["instructions: instructions[1]"]);
    expectDone(test);
  });

  it("tells of a session that was opened again by another agent, or with another model", async () => {
    const again = async (storage: Storage, id: string, options: Partial<AgentOptions>): Promise<string[]> => {
      const agent = createAgent({ model: scriptedModel([reply.text("Yes.")]), storage, checkPrefix: true, ...options });
      const session = await agent.session(id);
      const heard: string[] = [];
      session.on("request.changed", ({ reason, path }) => heard.push(`${reason}: ${path}`));
      await session.prompt("Are you there?");
      await agent.close();
      return heard;
    };
    const test = await checked([reply.text("Hello.")]);
    await test.session.prompt("Hi");
    await test.agent.close();
    expect(await again(test.storage, test.session.id, {})).toEqual([]);
    expect(await again(test.storage, test.session.id, { name: "reviewer" })).toEqual(["agent: agent"]);
    expect(await again(test.storage, test.session.id, { name: "reviewer", model: scriptedModel([reply.text("Yes.")], { modelId: "larger" }) })).toEqual(["model: model.modelID"]);
  });

  it("is not sent without the option", async () => {
    const test = await start(() => reply.text("Fine."));
    await test.session.prompt("One");
    await test.session.prompt("Two", { system: "Speak French." });
    expect(eventsOfType(test.events, "request.changed")).toEqual([]);
    expectDone(test);
  });
});

describe("system text and tools of a session", () => {
  it("are the same bytes when the clock crosses midnight (R20, R200)", async () => {
    const test = await checked((request) => (rolesIn(request).at(-1) === "tool" ? reply.text("Noted.") : reply.toolCall("note", { text: "a" })), {
      tools: { other, note },
      instructions: (): string => `Today is ${new Date(test.clock.now()).toDateString()}.`,
    });
    await test.session.prompt("Before midnight");
    await test.clock.advance(24 * 3_600_000);
    await test.session.prompt("After midnight");
    const heads = test.model.requests.map(({ prompt, tools }) => JSON.stringify([prompt.filter(({ role }) => role === "system"), tools]));
    expect(heads).toHaveLength(4);
    expect(new Set(heads).size).toBe(1);
    expect(test.changes()).toEqual([]);
    expectDone(test);
  });

  it("are not the same when a tool describes itself anew: the event says which one and where", async () => {
    const registry = createToolRegistry();
    const unregister = registry.register("note", note);
    const test = await checked(() => reply.text("Fine."), { tools: registry });
    await test.session.prompt("One");
    unregister();
    registry.register("note", { ...note, description: "Notes, at 12:00." });
    await test.session.prompt("Two");
    expect(test.changes()).toEqual(["tools: tools[0].description"]);
    expectDone(test);
  });
});
