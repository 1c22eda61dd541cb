import { describe, expect, it } from "vitest";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { assistant, completed, failed, text, tool, user, type Bare } from "./projection-samples.ts";
import type { Part } from "../../src/message/part.ts";

const mark: Bare<Part> = { type: "compaction", auto: true };
const compaction = user([mark], { id: "msg_compaction" });
const summary = assistant([text("They build a parser.")], { id: "msg_summary", parentID: "msg_compaction", summary: true });
const next = user([text("Go on.")], { id: "msg_next" });
const { default: strict, openaiChat } = modelProfiles;

const linesOf = (history: Parameters<typeof toModelMessages>[0], profile = openaiChat): string[] =>
  toModelMessages(history, profile).flatMap(({ role, content }) => content.map((part) => `${role}: ${part.type === "text" ? part.text : part.type}`));

describe("a compaction", () => {
  it("is one line of context, without anything to answer, before its summary", () => {
    const lines = linesOf([compaction, summary, next]);
    expect(lines).toEqual(["user: [Context: a summary of the earlier conversation follows.]", "assistant: They build a parser.", "user: Go on."]);
    for (const profile of Object.values(modelProfiles)) expect(validateModelMessages(toModelMessages([compaction, summary, next], profile), profile)).toEqual([]);
  });

  it.each([
    ["is not there", []],
    ["is blank", [assistant([text(" \n")], { parentID: "msg_compaction", summary: true })]],
    ["failed", [assistant([text("They bui")], { parentID: "msg_compaction", summary: true, ...failed("network") })]],
    ["was aborted", [assistant([text("They bui")], { parentID: "msg_compaction", summary: true, ...failed("aborted") })]],
    ["was cut by a crash", [assistant([text("They bui")], { parentID: "msg_compaction", summary: true, finish: undefined })]],
  ])("says nothing when its summary %s", (_what, rest) => {
    expect(linesOf([compaction, ...rest, next])).toEqual(["user: Go on."]);
    expect(linesOf([compaction, ...rest])).toEqual([]);
  });

  it("belongs to its own summary only", () => {
    const stranger = assistant([text("They build a parser.")], { parentID: "msg_other", summary: true });
    expect(linesOf([next, compaction, stranger, next])).toEqual(["user: Go on.", "assistant: They build a parser.", "user: Go on."]);
  });

  it("loses nothing else that stands in its message", () => {
    expect(linesOf([user([mark, text("Keep the tests.")], { id: "msg_compaction" }), next])).toEqual(["user: Keep the tests.", "user: Go on."]);
  });
});

describe("tool outputs, cut for a summary", () => {
  it("keep their beginning, and say what is missing", () => {
    const history = [next, assistant([tool("call_a", completed(`${"a".repeat(10)}👍b`)), tool("call_b", completed("", { modelOutput: { type: "json", value: { rows: "x".repeat(30) } } }))])];
    const [, , results] = toModelMessages(history, strict, { toolOutputMaxChars: 11 });
    expect(results?.content).toMatchObject([
      { output: { type: "text", value: "aaaaaaaaaa\n[3 characters left out]" } },
      { output: { type: "text", value: '{"rows":"xx\n[30 characters left out]' } },
    ]);
    expect(toModelMessages(history, strict, { toolOutputMaxChars: 1000 })).toEqual(toModelMessages(history, strict));
  });
});
