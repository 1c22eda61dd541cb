import { describe, expect, it } from "vitest";
import type { ToolPart, WithParts } from "throughline";
import { list, record, text, type Json } from "./json.ts";
import { payloadsOf, recordingOf, recordings, whySkipped } from "./recordings.ts";
import { replay } from "./replay.ts";

if (recordings.length === 0) it.skip(whySkipped);
else {
  describe("a tool that takes plain text", () => {
    const name = "responses__openai-custom-tool.1";

    it("gets the text, and the row says so", async () => {
      const { first } = await replay(recordingOf(name));
      expect(toolParts(first.messages)).toMatchObject([
        { textInput: true, state: { status: "completed", input: { value: writtenText(name) }, output: JSON.stringify({ rows: [writtenText(name)] }) } },
      ]);
    });

    it.each([
      ["has run", undefined],
      ["was refused", "ask"],
    ] as const)("gives the text back as text when it %s", async (_name, action) => {
      const permissions = action === undefined ? undefined : [{ permission: "*", action }];
      const { first, nextBody } = await replay(recordingOf(name), { store: false, permissions });
      expect(first.outcome).toBe("answered");
      expect(items(nextBody, "custom_tool_call")).toMatchObject([{ input: writtenText(name) }]);
      expect(items(nextBody, "custom_tool_call_output")).toMatchObject([{ call_id: items(nextBody, "custom_tool_call")[0]?.["call_id"] }]);
    });
  });

  describe("a provider's request for leave", () => {
    it.each([
      [true, undefined],
      [false, [{ permission: "*", action: "deny" }]],
      // Nobody can be asked here: the answer is no.
      [false, [{ permission: "*", action: "ask" }]],
    ] as const)("is answered with %s when the rules are %j", async (approve, permissions) => {
      const recording = recordingOf("responses__openai-mcp-tool-approval.1");
      const [request] = payloadsOf(recording.answers.flat()).map(({ item }) => record(item)).filter(({ type }) => type === "mcp_approval_request");
      const { first, nextBody } = await replay(recording, { permissions });
      expect(first.outcome).toBe("answered");
      expect(items(nextBody, "mcp_approval_response")).toMatchObject([{ approval_request_id: request?.["id"], approve }]);
    });
  });

  describe("a provider's tool that calls ours", () => {
    it("gives its result in a later message, in the place where the provider gave it", async () => {
      const recording = recordingOf("anthropic-programmatic-tool-calling.1");
      const { first, nextBody } = await replay(recording);
      expect(first.steps).toBe(recording.answers.length);
      const rows = toolParts(first.messages).filter(({ providerExecuted }) => providerExecuted);
      expect(rows.map(({ deferred }) => deferred)).toEqual(["call", "result"]);
      const last = list(nextBody["messages"]).filter(({ role }) => role === "assistant").at(-1);
      expect(list(last?.["content"]).map(({ type }) => type)).toEqual(["code_execution_tool_result", "text"]);
    });
  });
}

function toolParts(messages: readonly WithParts[]): ToolPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"));
}

function items(body: Json, type: string): Json[] {
  return list(body["input"]).filter((item) => item["type"] === type);
}

/** What the model wrote for the tool. */
function writtenText(name: string): string {
  const done = payloadsOf(recordingOf(name).answers.flat()).map(({ item }) => record(item)).filter(({ type }) => type === "custom_tool_call");
  return text(done.at(-1)?.["input"]);
}
