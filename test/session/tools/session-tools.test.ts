import { expect, it } from "vitest";
import { createToolRegistry, defineTool, SessionClosedError } from "throughline";
import { reply } from "throughline/testing";
import { z } from "zod";
import { expectDone, start } from "../session-under-test.ts";

const note = defineTool({ description: "Notes a text.", input: z.object({ text: z.string() }), execute: () => "Noted." });
const wipe = defineTool({ description: "Wipes.", input: { type: "object", properties: {} }, defaultAction: "ask", execute: () => "Wiped." });

it("session.tools() tells what the model is offered, and what becomes of a call", async () => {
  const test = await start([], {
    tools: { wipe, note, push: note, secret: note },
    permissions: [
      { permission: "push", action: "deny" },
      { permission: "push", pattern: "origin *", action: "ask" },
      { permission: "secret", action: "deny" },
    ],
  });
  const tools = await test.session.tools();
  expect(tools.map(({ name, decision }) => [name, decision.action])).toEqual([
    ["note", "allow"],
    ["push", "deny"],
    ["secret", "deny"],
    ["wipe", "ask"],
  ]);
  expect(tools[0]).toMatchObject({ description: "Notes a text.", inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } });
  // Only the rule without exception hides the tool.
  expect(tools.filter(({ decision }) => decision.reason?.includes("whatever it is called with")).map(({ name }) => name)).toEqual(["secret"]);
});

it("shows what was always allowed, what was registered since, and nothing that a caller could change for the model", async () => {
  const registry = createToolRegistry({ wipe });
  const test = await start([reply.toolCall("wipe"), reply.text("Done.")], { tools: registry });
  test.session.on("ask.created", ({ ask }) => void test.session.reply(ask.id, { decision: "always" }));
  await test.session.prompt("Wipe.");
  registry.register("note", note);
  const tools = await test.session.tools();
  expect(tools.map(({ name, decision }) => [name, decision.action])).toEqual([
    ["note", "allow"],
    ["wipe", "allow"],
  ]);
  Object.assign(tools[0]?.inputSchema ?? {}, { type: "string" });
  expect((await test.session.tools())[0]?.inputSchema).toMatchObject({ type: "object" });
  expectDone(test);
});

it("does not wait for a policy that never answers", async () => {
  const test = await start([], { tools: { note }, permissions: () => new Promise(() => undefined), timeouts: { hookMs: 1_000 } });
  const refused = expect(test.session.tools()).rejects.toThrow(/"note" within 1000 ms/);
  await test.clock.advance(1_000);
  await refused;
  expectDone(test);
});

it("asks a policy of the host's own, and refuses a closed session", async () => {
  const test = await start([], { tools: { note }, permissions: async ({ tool, patterns }) => ({ action: "ask", reason: `${tool} ${patterns.join()}` }) });
  expect((await test.session.tools())[0]?.decision).toEqual({ action: "ask", reason: "note *" });
  await test.session.close();
  await expect(test.session.tools()).rejects.toBeInstanceOf(SessionClosedError);
});
