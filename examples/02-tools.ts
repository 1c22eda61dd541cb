/** Tools: a checked input, an error that the model can correct, progress, and rules about what may run. */
import assert from "node:assert/strict";
import { createAgent, defineTool } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";

const stock = new Map([["apple", 3], ["pear", 0]]);

const count = defineTool({
  description: "Says how many pieces of a fruit are in stock.",
  input: z.object({ fruit: z.string().describe("Name of the fruit, in the singular") }),
  execute({ fruit }, context) {
    context.progress({ title: `Counting ${fruit}` });
    const pieces = stock.get(fruit);
    // What a tool throws is told to the model, so say what it can do about it.
    if (pieces === undefined) throw new Error(`Unknown fruit. There are: ${[...stock.keys()].join(", ")}.`);
    return { fruit, pieces };
  },
});

const order = defineTool({
  description: "Orders fruit from the supplier.",
  input: z.object({ fruit: z.string(), pieces: z.number().int().positive() }),
  // What rules are matched against: here the fruit, so that a rule can allow apples and deny pears.
  permission: ({ fruit }) => ({ patterns: [fruit] }),
  execute: ({ fruit, pieces }) => `Ordered ${pieces} × ${fruit}.`,
});

const model = scriptedModel([
  [reply.toolCall("count", { fruit: "plum" }), reply.toolCall("count", { name: "apple" })],
  [reply.toolCall("count", { fruit: "apple" }), reply.toolCall("order", { fruit: "pear", pieces: 10 })],
  reply.text("There are 3 apples. I may not order pears."),
]);

const agent = createAgent({
  model,
  tools: { count, order },
  // The last rule that matches wins: general rules first, exceptions after them.
  permissions: [
    { permission: "*", action: "allow" },
    { permission: "order", pattern: "pear", action: "deny" },
  ],
});
const session = await agent.session();
const { text, steps, toolErrors } = await session.prompt("How many apples are there? Order ten pears.");

for (const { tool, error } of toolErrors) console.log(`${tool}: ${error}\n`);
assert.equal(toolErrors.length, 3);
assert.match(toolErrors[0]?.error ?? "", /Unknown fruit. There are: apple, pear/);
assert.match(toolErrors[1]?.error ?? "", /fruit: missing/);
assert.match(toolErrors[2]?.error ?? "", /not permitted/);
assert.equal(steps, 3);
console.log(text);
await agent.close();
