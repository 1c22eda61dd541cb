/** Events: stream an answer, watch all sessions, send a prompt while another one runs, abort. */
import assert from "node:assert/strict";
import { createAgent, type SessionEvent } from "throughline";
import { reply, scriptedModel } from "throughline/testing";

const model = scriptedModel([
  reply.text("Events tell what happens, in order.", { chunks: 5 }),
  reply.text("Queued prompts run next."),
  reply.stall(), // a model that never answers
]);
const agent = createAgent({ model });

// Every event of every session; `agent.on("turn.finished", …)` hears one kind only.
const names: SessionEvent["type"][] = [];
agent.on("*", ({ type }) => names.push(type));

const session = await agent.session();
const first = session.prompt("What are events?");
const second = session.prompt("And what happens to me?"); // waits until the first turn has ended

// A turn can be iterated for its own events, awaited for its result, or both.
let streamed = "";
for await (const event of first) {
  if (event.type === "part.delta" && event.partType === "text") streamed += event.delta;
}
const { text, tokens } = await first;
assert.equal(streamed, text);
assert.ok(tokens.input > 0 && tokens.output > 0);
assert.equal((await second).text, "Queued prompts run next.");

// Each turn is told from its first event to its last, and never mixed with another one.
assert.deepEqual(names.filter((name) => name.startsWith("turn.")), ["turn.started", "turn.finished", "turn.started", "turn.finished"]);
assert.ok(names.indexOf("prompt.admitted") < names.indexOf("turn.started"));

// An abort ends a turn wherever it is. `settled` never rejects; awaiting the turn itself would throw a TurnAbortedError.
const third = session.prompt("Will you answer?");
session.once("step.started", () => void third.abort());
const { outcome } = await third.settled;
assert.equal(outcome, "aborted");
assert.deepEqual(session.status, { type: "idle" });

console.log(text, [...new Set(names)].join(", "));
await agent.close();
