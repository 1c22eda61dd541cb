import { expect, test } from "vitest";
import { toModelMessages } from "throughline";
import { assistant, failed, model, user, type Bare } from "./projection-samples.ts";
import type { Part } from "../../src/message/part.ts";

const text: Bare<Part> = { type: "text", text: "Let me look." };
const neverRan: Bare<Part> = {
  type: "tool",
  callID: "call_1",
  tool: "read",
  state: { status: "error", input: {}, error: "It was not run.", neverRan: true, time: { start: 0, end: 0 } },
};
const ran: Bare<Part> = { type: "tool", callID: "call_2", tool: "read", state: { status: "error", input: {}, error: "It failed.", time: { start: 0, end: 1 } } };
const prompt = user([{ type: "text", text: "Read it." }]);
const next = user([{ type: "text", text: "Go on." }], { id: "msg_next" });

function kinds(parts: readonly Bare<Part>[], fields: Parameters<typeof assistant>[1]): string[] {
  const messages = toModelMessages([prompt, assistant(parts, fields), next], model);
  return messages.flatMap(({ role, content }) => content.map((part) => `${role} ${part.type}`));
}

test("a failed call whose tools never ran is left out whole", () => {
  expect(kinds([text, neverRan], failed("network"))).toEqual(["user text", "user text"]);
});

test("an aborted call keeps its text, without the calls that never ran", () => {
  expect(kinds([text, neverRan], failed("aborted"))).toEqual(["user text", "assistant text", "user text"]);
});

test("a call that ran stays, with its result, however the step ended", () => {
  expect(kinds([text, neverRan, ran], failed("network"))).toEqual(["user text", "assistant text", "assistant tool-call", "tool tool-result", "user text"]);
});

test("in a step that came to its end every call stays", () => {
  const all = ["user text", "assistant text", "assistant tool-call", "tool tool-result", "user text"];
  expect(kinds([text, neverRan], { finish: "tool-calls" })).toEqual(all);
  expect(kinds([text, neverRan], { ...failed("aborted"), finish: "tool-calls" })).toEqual(all);
});
