/** An agent, a session, two prompts. The model is scripted, so that this runs without a key; any AI SDK model fits there. */
import assert from "node:assert/strict";
import { createAgent } from "throughline";
import { reply, scriptedModel } from "throughline/testing";

const model = scriptedModel([
  reply.text("Paris."),
  // An entry can be a function of the request: here it shows that the model sees what was said before.
  (request) => reply.text(`There are ${request.prompt.length} messages before this one.`),
]);

const agent = createAgent({ model, instructions: "Answer in one word." });
const session = await agent.session();

const { text, outcome } = await session.prompt("What is the capital of France?");
assert.equal(text, "Paris.");
assert.equal(outcome, "answered");

// The session remembers: the instructions, two prompts and one answer.
const second = await session.prompt("What did I ask?");
assert.equal(second.text, "There are 4 messages before this one.");

// It can be opened again by its id, by this agent or by another one on the same storage.
const reopened = await agent.session(session.id);
const messages = await reopened.messages();
assert.deepEqual(messages.map(({ info }) => info.role), ["user", "assistant", "user", "assistant"]);

console.log(text, second.text);
await agent.close();
