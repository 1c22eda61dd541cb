import { createXai } from "@ai-sdk/xai";
import { describe, expect, it } from "vitest";
import { createAgent, defineTool } from "throughline";
import { manualClock, strictModel } from "throughline/testing";
import { list, type Json } from "./json.ts";
import { recordedFetch, type Delivery } from "./recorded-fetch.ts";
import { answer, called, said, thought } from "./xai-answer.ts";

// Written by hand: the recordings of this provider are of its older API, which its package no longer speaks.
const callingAnswer = answer([
  ...thought(0, { id: "rs_1", summary: "Both cities ✓ are needed.", encrypted: "sealed+1/==" }),
  ...said(1, { id: "msg_1", text: "I look both up." }),
  ...called(2, { id: "fc_1", call: "call_1", city: "Zürich" }),
  // Reasoning between two calls, and nothing of it is readable.
  ...thought(3, { id: "rs_2", summary: "", encrypted: "sealed+2/==" }),
  ...called(4, { id: "fc_2", call: "call_2", city: "Bern" }),
], { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 50, output_tokens_details: { reasoning_tokens: 30 } });
const lastAnswer = answer([
  ...thought(0, { id: "rs_3", summary: "", encrypted: "sealed+3/==" }),
  ...said(1, { id: "msg_2", text: "Both are sunny." }),
], { input_tokens: 200, output_tokens: 20 });
const plainAnswer = answer(said(0, { id: "msg_plain", text: "Plain answer." }), { input_tokens: 1, output_tokens: 1 });

const asked = { role: "user", content: [{ type: "input_text", text: "First prompt." }] };
/** What the first answer and its results must look like in every later request. The package drops the ids of messages and of call items. */
const callingItems = [
  reasoning("rs_1", "sealed+1/==", [{ type: "summary_text", text: "Both cities ✓ are needed." }]),
  { role: "assistant", content: "I look both up." },
  call("call_1", "Zürich"),
  reasoning("rs_2", "sealed+2/==", []),
  call("call_2", "Bern"),
  result("call_1", "Zürich"),
  result("call_2", "Bern"),
];
const lastItems = [reasoning("rs_3", "sealed+3/==", []), { role: "assistant", content: "Both are sunny." }];

const deliveries: Delivery[] = ["line by line", { bytes: 7 }];

describe.each(deliveries)("the Responses API of xAI, delivered %j", (delivery) => {
  it("gets its reasoning back sealed as it came, each item in its place, each call with one result", async () => {
    const { bodies, first, second } = await converse(delivery);
    expect(first).toMatchObject({ outcome: "answered", text: "Both are sunny.", steps: 2, toolErrors: [] });
    expect(second).toMatchObject({ outcome: "answered", text: "Plain answer.", steps: 1 });
    expect(bodies.map(({ input }) => list(input))).toEqual([
      [asked],
      [asked, ...callingItems],
      [asked, ...callingItems, ...lastItems, { role: "user", content: [{ type: "input_text", text: "Second prompt." }] }],
    ]);
    // Without this the provider would not seal its reasoning.
    for (const body of bodies) expect(body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
  });

  it("counts the tokens of both steps, each once", async () => {
    const { first } = await converse(delivery);
    expect(first.tokens).toEqual({ input: 240, output: 40, reasoning: 30, cache: { read: 60, write: 0 } });
  });

  it("ends each turn once and breaks no rule of the wire", async () => {
    const { outcomes, status, timers, violations } = await converse(delivery);
    expect(outcomes).toEqual(["answered", "answered"]);
    expect({ status, timers, violations }).toEqual({ status: { type: "idle" }, timers: 0, violations: [] });
  });
});

async function converse(delivery: Delivery) {
  const { fetch, bodies } = recordedFetch([callingAnswer, lastAnswer], plainAnswer, delivery);
  const model = strictModel(createXai({ apiKey: "none", fetch }).responses("grok-4"));
  const clock = manualClock();
  const weather = defineTool({ description: "Tells the weather.", input: { type: "object" }, execute: (input) => ({ asked: input }) });
  const agent = createAgent({ model, clock, tools: { weather }, providerOptions: { xai: { store: false } } });
  const outcomes: string[] = [];
  agent.on("turn.finished", ({ outcome }) => outcomes.push(outcome));
  const session = await agent.session();
  const first = await session.prompt("First prompt.").settled;
  const second = await session.prompt("Second prompt.").settled;
  const { status } = session;
  await agent.close();
  return { first, second, bodies, outcomes, status, timers: clock.pending(), violations: model.violations };
}

function reasoning(id: string, encrypted_content: string, summary: readonly Json[]): Json {
  return { type: "reasoning", id, summary, status: "completed", encrypted_content };
}

function call(id: string, city: string): Json {
  return { type: "function_call", id, call_id: id, name: "weather", arguments: JSON.stringify({ city }), status: "completed" };
}

function result(id: string, city: string): Json {
  return { type: "function_call_output", call_id: id, output: JSON.stringify({ asked: { city } }) };
}
