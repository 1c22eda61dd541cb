/** Runs the packed package as a new user would: one prompt, one tool call, one answer. Copied beside an installed package. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, defineTool } from "throughline";
import { fileStorage } from "throughline/storage/file";
import { sqliteStorage } from "throughline/storage/sqlite";
import { reply, scriptedModel } from "throughline/testing";

const model = scriptedModel([reply.toolCall("add", { a: 2, b: 3 }), reply.text("The sum is 5.")]);
const add = defineTool({
  description: "Adds two numbers.",
  input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  execute: ({ a, b }) => String(a + b),
});
const agent = createAgent({ model, tools: { add } });
const session = await agent.session();
const { outcome, text } = await session.prompt("What is 2 + 3?");
await agent.close();

// A store that lasts: what a second agent finds is what the first one was told.
const folder = mkdtempSync(join(tmpdir(), "throughline-smoke-"));
const [majorVersion] = process.versions.node.split(".").map(Number);
const open = majorVersion >= 22 ? () => sqliteStorage(join(folder, "sessions.db")) : () => fileStorage(folder);
for (const question of ["Are you there?", "Still?"]) {
  const storage = open();
  const lasting = createAgent({ model: scriptedModel([reply.text("Yes.")]), storage });
  const thread = await lasting.session({ id: "thread" });
  await thread.prompt(question);
  assert.equal((await thread.messages()).length, question === "Still?" ? 4 : 2);
  await lasting.close();
  await storage.close();
}
rmSync(folder, { recursive: true });

model.assertDone();
assert.deepEqual({ outcome, text }, { outcome: "answered", text: "The sum is 5." });
console.log(`smoke: ${outcome} after ${model.requests.length} model calls on Node ${process.version}`);
