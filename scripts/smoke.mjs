/** Runs the packed package as a new user would: one prompt, one tool call, one answer. Copied beside an installed package. */
import assert from "node:assert/strict";
import { createAgent, defineTool } from "throughline";
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

model.assertDone();
assert.deepEqual({ outcome, text }, { outcome: "answered", text: "The sum is 5." });
console.log(`smoke: ${outcome} after ${model.requests.length} model calls on Node ${process.version}`);
