import { describe, expect, it } from "vitest";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { assistant, attachment, completed, errored, file, model, otherModel, pending, png, reasoning, running, stepFinish, stepStart, text, tool, user } from "./projection-samples.ts";

const hi = user([text("hi")]);
const next = user([text("go on")], { id: "msg_next" });
const { default: strict, openaiChat, openaiCompatible, mistral } = modelProfiles;

describe("tool calls", () => {
  it("puts the results of all calls into one tool message, in call order, directly after the calls", () => {
    const step = assistant([
      stepStart,
      text("I look."),
      tool("call_a", completed("A")),
      tool("call_b", errored("no such file")),
      tool("call_c", running),
      tool("call_d", pending),
      stepFinish,
    ]);
    const [, said, results] = toModelMessages([hi, step], strict);
    expect(said).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "tool-call", toolCallId: "call_a", toolName: "read", input: { path: "a" } },
        { type: "tool-call", toolCallId: "call_b", toolName: "read", input: {} },
        { type: "tool-call", toolCallId: "call_c", toolName: "read", input: { path: "a" } },
        { type: "tool-call", toolCallId: "call_d", toolName: "read", input: {} },
      ],
    });
    expect(results).toEqual({
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "call_a", toolName: "read", output: { type: "text", value: "A" } },
        { type: "tool-result", toolCallId: "call_b", toolName: "read", output: { type: "error-text", value: "no such file" } },
        { type: "tool-result", toolCallId: "call_c", toolName: "read", output: { type: "error-text", value: "[Tool execution was interrupted]" } },
        { type: "tool-result", toolCallId: "call_d", toolName: "read", output: { type: "error-text", value: "[Tool execution was interrupted]" } },
      ],
    });
  });

  it("moves text after a call before the calls, and loses nothing", () => {
    const step = assistant([tool("call_a", completed("A")), text("meanwhile"), tool("call_b", completed("B"))]);
    const [, said] = toModelMessages([hi, step], strict);
    expect(said?.content).toMatchObject([{ text: "meanwhile" }, { toolCallId: "call_a" }, { toolCallId: "call_b" }]);
  });

  it("leaves signed reasoning between two calls in its place", () => {
    const step = assistant([reasoning("first", "s1"), tool("call_a", completed("A")), reasoning("second", "s2"), tool("call_b", completed("B"))]);
    const [, said] = toModelMessages([hi, step], model);
    expect(said?.content).toMatchObject([{ text: "first" }, { toolCallId: "call_a" }, { text: "second" }, { toolCallId: "call_b" }]);
  });

  it("leaves several reasonings between two calls there, all of them", () => {
    const parts = [tool("call_a", completed("A")), reasoning("one", "s1"), reasoning("two", "s2"), tool("call_b", completed("B"))];
    const [, said] = toModelMessages([hi, assistant(parts)], model);
    expect(said?.content).toMatchObject([{ toolCallId: "call_a" }, { text: "one" }, { text: "two" }, { toolCallId: "call_b" }]);
  });

  it("still ends with the calls when only text follows the signed reasoning", () => {
    const step = assistant([tool("call_a", completed("A")), reasoning("why", "s1"), text("because")]);
    const [, said] = toModelMessages([hi, step], model);
    expect(said?.content).toMatchObject([{ text: "why" }, { text: "because" }, { toolCallId: "call_a" }]);
  });

  it("shows a compacted output as cleared, without its attachments", () => {
    const state = completed("long", { time: { start: 0, end: 1, compacted: 2 }, attachments: [attachment("image/png", png)] });
    const [, , results] = toModelMessages([hi, assistant([tool("call_a", state)])], model);
    expect(results?.content).toMatchObject([{ output: { type: "text", value: "[Old tool result content cleared]" } }]);
  });

  it.each([
    completed(""),
    completed(" \n"),
    completed("", { modelOutput: { type: "text", value: "" } }),
    completed("", { modelOutput: { type: "content", value: [] } }),
    completed("", { modelOutput: { type: "content", value: [{ type: "text", text: "" }] } }),
    errored(""),
  ])("never sends an empty result", (state) => {
    const [, , results] = toModelMessages([hi, assistant([tool("call_a", state)])], strict);
    expect(results?.content).toMatchObject([{ output: { value: expect.stringMatching(/\S/) as string } }]);
  });

  it("sends what the tool prepared for the model instead of its output", () => {
    const json = tool("call_a", completed("for people", { modelOutput: { type: "json", value: { rows: 3 } } }));
    const denied = tool("call_b", completed("", { modelOutput: { type: "execution-denied", reason: "not now" } }));
    const [, , results] = toModelMessages([hi, assistant([json, denied])], strict);
    expect(results?.content).toMatchObject([
      { output: { type: "json", value: { rows: 3 } } },
      { output: { type: "execution-denied", reason: "not now" } },
    ]);
  });

  it("makes an unusable input an empty object", () => {
    const states = ["text", null, [1]].map((input) => ({ ...completed("A"), input }));
    // Damage, as a foreign program may have stored it.
    const parts = states.map((state, index) => tool(`call_${index}`, state as never));
    const [, said] = toModelMessages([hi, assistant(parts)], strict);
    expect(said?.content).toMatchObject([{ input: {} }, { input: {} }, { input: {} }]);
  });

  it("sends the text of a text tool to the model that wrote it, and an object to others", () => {
    const part = tool("call_a", completed("ok", { input: { value: "SELECT 1" } }), { textInput: true });
    const step = assistant([part], { providerID: otherModel.provider, modelID: otherModel.modelId });
    expect(toModelMessages([hi, step], otherModel)[1]?.content).toMatchObject([{ input: "SELECT 1" }]);
    for (const other of [model, { ...otherModel, modelId: "gpt-other" }]) {
      expect(toModelMessages([hi, step], other)[1]?.content).toMatchObject([{ input: { value: "SELECT 1" } }]);
    }
  });

  it("makes invented tool names legal", () => {
    const parts = [tool("a", errored("unknown"), { tool: "read file!" }), tool("b", errored("unknown"), { tool: "" })];
    const [, said, results] = toModelMessages([hi, assistant(parts)], strict);
    expect(said?.content).toMatchObject([{ toolName: "read_file_" }, { toolName: "unknown_tool" }]);
    expect(results?.content).toMatchObject([{ toolName: "read_file_" }, { toolName: "unknown_tool" }]);
  });

  it("keeps the steps of a row that holds several apart", () => {
    const row = assistant([stepStart, tool("call_a", completed("A")), stepStart, text("done")]);
    const roles = toModelMessages([hi, row, next], strict).map((message) => message.role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  });
});

describe("call ids", () => {
  const idsOf = (parts: Parameters<typeof assistant>[0], profile = strict): string[] =>
    toModelMessages([hi, assistant(parts)], profile).flatMap(({ role, content }) =>
      role === "assistant" ? content.flatMap((part) => (typeof part !== "string" && part.type === "tool-call" ? [part.toolCallId] : [])) : [],
    );

  it("keeps a legal id", () => {
    expect(idsOf([tool("call_a", completed("A"))])).toEqual(["call_a"]);
  });

  it("makes repeated ids unique over the request, without touching the first", () => {
    const history = [hi, assistant([tool("call_0", completed("A"))], { id: "msg_1" }), hi, assistant([tool("call_0", completed("B"))], { id: "msg_2" }), hi];
    const messages = toModelMessages(history, strict);
    const results = messages.flatMap(({ role, content }) => (role === "tool" ? content : []));
    expect(results).toMatchObject([{ toolCallId: "call_0", output: { value: "A" } }, { output: { value: "B" } }]);
    expect(validateModelMessages(messages, strict)).toEqual([]);
  });

  it("hashes ids for an alphabet of nine alphanumerics: similar ids stay apart, the same ones stay the same", () => {
    const parts = [tool("call_abcdefghij1", completed("A")), tool("call_abcdefghij2", completed("B"))];
    const ids = idsOf(parts, mistral);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(idsOf(parts, mistral)).toEqual(ids);
  });

  it("keeps a hashed id when the messages before it are gone", () => {
    const steps = ["msg_1", "msg_2"].map((id) => assistant([tool("call_1", completed("A"))], { id }));
    const last = (history: typeof steps): unknown => toModelMessages([hi, ...history], mistral).at(-1);
    expect(last(steps)).toEqual(last(steps.slice(1)));
  });

  it("never takes a hashed id that a later call has as its own", () => {
    const [hashed = ""] = idsOf([tool("call_abcdefghij1", completed("A"))], mistral);
    const ids = idsOf([tool("call_abcdefghij1", completed("A")), tool(hashed, completed("B"))], mistral);
    expect(new Set(ids).size).toBe(2);
  });
});

describe("media in tool results", () => {
  const withImage = tool("call_a", completed("a chart", { attachments: [attachment("image/png", png, "chart.png")] }));
  const image = { type: "file", mediaType: "image/png", filename: "chart.png", data: { type: "data", data: "iVBORw0KGgo=" } };

  it("stay in the result where the wire has a place for them", () => {
    const [, , results] = toModelMessages([hi, assistant([withImage])], model);
    expect(results?.content).toMatchObject([{ output: { type: "content", value: [{ type: "text", text: "a chart" }, image] } }]);
  });

  it("move to one user message after all results elsewhere", () => {
    const parts = [withImage, tool("call_b", completed("B")), tool("call_c", completed("", { attachments: [attachment("image/png", png)] }))];
    const messages = toModelMessages([hi, assistant(parts)], openaiChat);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(messages[2]?.content).toMatchObject([
      { output: { type: "text", value: 'a chart\n[image/png "chart.png": attached after the tool results]' } },
      { output: { type: "text", value: "B" } },
      { output: { type: "text", value: "[image/png: attached after the tool results]" } },
    ]);
    expect(messages[3]?.content).toMatchObject([{ type: "text" }, image, { type: "file", mediaType: "image/png" }]);
  });

  it("come out of a prepared output as well", () => {
    const value = [{ type: "file" as const, mediaType: "image/png", data: { type: "data" as const, data: "iVBORw0KGgo=" } }];
    const part = tool("call_a", completed("", { modelOutput: { type: "content", value } }));
    const messages = toModelMessages([hi, assistant([part])], openaiCompatible);
    expect(messages[2]?.content).toMatchObject([{ output: { type: "text" } }]);
    expect(messages[3]?.content).toMatchObject([{ type: "text" }, { type: "file", mediaType: "image/png" }]);
  });

  it("are described to a model that cannot see, and are back for one that can", () => {
    const history = [hi, assistant([withImage])];
    const blind = toModelMessages(history, modelProfiles.deepseek);
    expect(blind).toHaveLength(3);
    expect(JSON.stringify(blind)).not.toContain("iVBORw0KGgo=");
    expect(JSON.stringify(toModelMessages(history, model))).toContain("iVBORw0KGgo=");
  });

  it("are described everywhere with stripMedia", () => {
    const history = [user([file("image/png", png, { filename: "mine.png" })]), assistant([withImage, file("image/png", png)])];
    const stripped = JSON.stringify(toModelMessages(history, modelProfiles.google, { stripMedia: true }));
    expect(stripped).not.toContain("iVBORw0KGgo=");
    expect(stripped).toContain("mine.png");
    expect(stripped).toContain("chart.png");
  });
});
