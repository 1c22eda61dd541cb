import { describe, expect, it } from "vitest";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { profileFor } from "../../src/message/profile-for.ts";
import {
  assistant,
  attachment,
  completed,
  errored,
  failed,
  file,
  model,
  otherModel,
  pending,
  png,
  reasoning,
  running,
  stepFinish,
  stepStart,
  text,
  tool,
  user,
} from "./projection-samples.ts";

const hi = user([text("hi")]);
const next = user([text("go on")], { id: "msg_next" });
const { default: strict, openaiChat, openaiCompatible, mistral } = modelProfiles;

describe("user messages", () => {
  it("keeps text, synthetic text and media, in order", () => {
    const message = user([
      text("hi"),
      text("only for people", { ignored: true }),
      text("from the engine", { synthetic: true }),
      file("image/png", png, { filename: "a.png" }),
      file("text/plain", "file:///notes.txt"),
      file("application/x-directory", "file:///src"),
      { type: "agent", name: "reviewer" },
    ]);
    expect(toModelMessages([message], strict)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "hi" },
          { type: "text", text: "from the engine" },
          { type: "file", mediaType: "image/png", filename: "a.png", data: { type: "data", data: "iVBORw0KGgo=" } },
        ],
      },
    ]);
  });

  it("says nothing when nothing is left", () => {
    const history = [user([]), user([text("x", { ignored: true })]), user([text(" \n")])];
    expect(toModelMessages(history, strict)).toEqual([]);
  });

  it("leaves out prompts that wait or were cancelled", () => {
    const history = [user([text("waits")], { state: "queued" }), user([text("gone")], { state: "cancelled" }), hi];
    expect(toModelMessages(history, strict)).toEqual([{ role: "user", content: [{ type: "text", text: "hi" }] }]);
  });

  it("labels compaction and subtask as context", () => {
    const message = user([
      { type: "compaction", auto: true },
      { type: "subtask", prompt: "look", description: "look", agent: "explorer" },
    ]);
    const [first] = toModelMessages([message], strict);
    expect(first?.content).toHaveLength(2);
    for (const part of first?.content ?? []) expect(part).toMatchObject({ type: "text", text: expect.stringMatching(/^\[Context: /) as string });
  });

  it("sends a URL as a URL where the model loads it, and describes it elsewhere", () => {
    const history = [user([file("image/png", "https://example.com/a.png", { filename: "a.png" })])];
    expect(toModelMessages(history, model)[0]?.content).toEqual([
      { type: "file", mediaType: "image/png", filename: "a.png", data: { type: "url", url: new URL("https://example.com/a.png") } },
    ]);
    expect(toModelMessages(history, modelProfiles.google)[0]?.content).toEqual([
      { type: "text", text: '[image/png "a.png": attached by the user, cannot be shown to this model]' },
    ]);
  });

  it("describes what it cannot read: local files, broken data, unknown types", () => {
    const history = [
      user([
        file("image/png", "file:///a.png"),
        file("image/png", "data:image/png;base64,"),
        file("image/png", "https://"),
        file("application/zip", "data:application/zip;base64,AA=="),
        file("", png),
      ]),
    ];
    const [message] = toModelMessages(history, model);
    expect(message?.content.map((part) => part.type)).toEqual(["text", "text", "text", "text", "text"]);
  });

  it("ignores case and parameters of a media type, and corrects image/jpg", () => {
    const [message] = toModelMessages([user([file("Image/JPG; q=1", png)])], strict);
    expect(message?.content).toMatchObject([{ type: "file", mediaType: "image/jpeg" }]);
  });

  it("merges neighbours only where roles must alternate", () => {
    expect(toModelMessages([hi, next], strict)).toHaveLength(1);
    expect(toModelMessages([hi, next], openaiChat)).toHaveLength(2);
  });
});

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
    expect(toModelMessages([hi, step], model)[1]?.content).toMatchObject([{ input: { value: "SELECT 1" } }]);
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

describe("provider metadata", () => {
  const metadata = { anthropic: { signature: "s1", nested: { keep: [1, "two"] } } };
  const signed = assistant([
    { type: "reasoning", text: "hm", time: { start: 0 }, metadata },
    text("hello", { metadata }),
    tool("call_a", completed("A"), { metadata }),
  ]);

  it("returns to the model that made it, on the same parts, and on the result of a call", () => {
    const [, said, results] = toModelMessages([hi, signed], model);
    expect(said?.content.map((part) => part.providerOptions)).toEqual([metadata, metadata, metadata]);
    expect(results?.content.map((part) => part.providerOptions)).toEqual([metadata]);
  });

  it("does not go to another model, and returns when the model is back", () => {
    expect(JSON.stringify(toModelMessages([hi, signed], otherModel))).not.toContain("s1");
    expect(JSON.stringify(toModelMessages([hi, signed], { provider: model.provider, modelId: "claude-2" }))).not.toContain("s1");
    expect(JSON.stringify(toModelMessages([hi, signed], { providerID: model.provider, modelID: model.modelId }))).toContain("s1");
  });

  it("stays at home for bare wire rules, unless the model is named", () => {
    const profile = profileFor(model);
    expect(JSON.stringify(toModelMessages([hi, signed], profile))).not.toContain("s1");
    const named = { model: { providerID: model.provider, modelID: model.modelId } };
    expect(toModelMessages([hi, signed], profile, named)).toEqual(toModelMessages([hi, signed], model));
  });

  it.each([{ finish: undefined }, { finish: "interrupted" }, { finish: "error" }, failed("aborted"), failed("length")])(
    "does not return from a step that did not complete: %j",
    (fields) => {
      const cut = assistant(signed.parts, fields);
      expect(JSON.stringify(toModelMessages([hi, cut], model))).not.toContain("s1");
      expect(JSON.stringify(toModelMessages([hi, cut], model))).toContain("hello");
    },
  );

  it("is invented for no part", () => {
    const step = assistant([tool("a", completed("A"), { metadata: { google: { thoughtSignature: "t" } } }), tool("b", completed("B"))]);
    const [, said] = toModelMessages([hi, step], model);
    expect(said?.content.map((part) => part.providerOptions)).toEqual([{ google: { thoughtSignature: "t" } }, undefined]);
  });
});

describe("reasoning", () => {
  const thinking = [reasoning("because", "s1"), text("42")];

  it("needs its signature where the provider wants one", () => {
    expect(toModelMessages([hi, assistant([reasoning("because"), text("42")])], model)[1]?.content).toEqual([{ type: "text", text: "42" }]);
  });

  it("of another model is dropped, or sent as text, as the profile says", () => {
    expect(toModelMessages([hi, assistant(thinking)], otherModel)[1]?.content).toEqual([{ type: "text", text: "42" }]);
    const asText = { ...strict, foreignReasoning: "text" as const };
    expect(toModelMessages([hi, assistant(thinking)], asText)[1]?.content).toEqual([{ type: "text", text: "because" }, { type: "text", text: "42" }]);
  });

  it("alone is no message: providers refuse one that ends with it", () => {
    expect(toModelMessages([hi, assistant([reasoning("because", "s1"), text("")])], model)).toHaveLength(1);
    expect(toModelMessages([hi, assistant([text("42"), reasoning("hm", "s2")])], model)[1]?.content).toEqual([{ type: "text", text: "42" }]);
  });

  it("without text keeps what only its provider can read", () => {
    const redacted = { type: "reasoning" as const, text: "", time: { start: 0 }, metadata: { anthropic: { redactedData: "x" } } };
    expect(toModelMessages([hi, assistant([redacted, text("42")])], model)[1]?.content).toMatchObject([{ type: "reasoning" }, { type: "text" }]);
  });
});

describe("media of the model", () => {
  const google = { provider: "google.generative-ai", modelId: "gemini-2.5" };
  const origin = { providerID: google.provider, modelID: google.modelId };
  const metadata = { google: { thoughtSignature: "t" } };
  const drawn = [file("image/png", png, { metadata, reasoning: true }), file("image/png", png, { metadata, filename: "a.png" })];

  it("return to it as files, those of its reasoning as such", () => {
    const [, said] = toModelMessages([hi, assistant(drawn, origin)], google);
    const data = { type: "data", data: "iVBORw0KGgo=" };
    expect(said?.content).toEqual([
      { type: "reasoning-file", mediaType: "image/png", data, providerOptions: metadata },
      { type: "file", mediaType: "image/png", filename: "a.png", data, providerOptions: metadata },
    ]);
  });

  it("go to another model of the wire without metadata, those of its reasoning not at all", () => {
    const [, said] = toModelMessages([hi, assistant(drawn, origin)], { ...google, modelId: "gemini-2" });
    expect(said?.content).toEqual([{ type: "file", mediaType: "image/png", filename: "a.png", data: { type: "data", data: "iVBORw0KGgo=" } }]);
    const cut = assistant(drawn, { ...origin, ...failed("aborted") });
    expect(JSON.stringify(toModelMessages([hi, cut], google))).not.toContain("reasoning-file");
  });

  it("are described where assistant messages take none", () => {
    const [, said] = toModelMessages([hi, assistant(drawn, origin)], model);
    expect(said?.content).toEqual([{ type: "text", text: '[image/png "a.png": made by the model, not included]' }]);
  });

  it("of provider-specific kinds return only to their origin", () => {
    const step = assistant([{ type: "custom", kind: "openai.compaction", metadata: { openai: { itemId: "cmp" } } }, text("done")], {
      providerID: otherModel.provider,
      modelID: otherModel.modelId,
    });
    expect(toModelMessages([hi, step], otherModel)[1]?.content).toEqual([
      { type: "custom", kind: "openai.compaction", providerOptions: { openai: { itemId: "cmp" } } },
      { type: "text", text: "done" },
    ]);
    expect(toModelMessages([hi, step], model)[1]?.content).toEqual([{ type: "text", text: "done" }]);
  });
});

describe("failed and cut messages", () => {
  it("leaves out a failed call that did nothing", () => {
    expect(toModelMessages([hi, assistant([text("half")], failed("network"))], strict)).toHaveLength(1);
    expect(toModelMessages([hi, assistant([tool("a", pending)], failed("network"))], strict)).toHaveLength(1);
  });

  it.each([completed("A"), errored("no"), running])("keeps a failed call when one of its tools has started", (state) => {
    const messages = toModelMessages([hi, assistant([text("half"), tool("call_a", state)], failed("network"))], strict);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(messages[1]?.content).toMatchObject([{ text: "half" }, { toolCallId: "call_a" }]);
  });

  it.each(["aborted", "interrupted"] as const)("keeps what was said before an answer was %s", (code) => {
    const cut = assistant([reasoning("hm", "s1"), text("half")], failed(code));
    expect(toModelMessages([hi, cut, next], model)[1]).toEqual({ role: "assistant", content: [{ type: "text", text: "half" }] });
  });

  it("says nothing for an aborted message that only reasoned", () => {
    expect(toModelMessages([hi, assistant([stepStart, reasoning("hm")], failed("aborted"))], strict)).toHaveLength(1);
  });
});

describe("what the engine adds", () => {
  it("sends its note in an assistant message as a user message after the results", () => {
    const step = assistant([tool("call_a", completed("A")), text("Step limit reached.", { synthetic: true })]);
    const messages = toModelMessages([hi, step], strict);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(messages[3]?.content).toEqual([{ type: "text", text: "Step limit reached." }]);
  });

  it("does not end with an assistant message where the model refuses that", () => {
    const history = [hi, assistant([text("half")], failed("interrupted"))];
    expect(toModelMessages(history, strict).at(-1)?.role).toBe("user");
    expect(toModelMessages(history, { ...strict, alternation: false, trailingAssistant: true }).at(-1)?.role).toBe("assistant");
  });

  it("begins with a user message, whatever the window begins with", () => {
    expect(toModelMessages([assistant([tool("call_a", completed("A"))])], strict)[0]?.role).toBe("user");
  });

  it("puts a short message between results and user where the wire demands it", () => {
    const roles = toModelMessages([hi, assistant([tool("call_a", completed("A"))]), next], mistral).map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  });
});

describe("calls that the provider ran", () => {
  const search = tool("srvtoolu_1", completed("", { input: { query: "x" }, modelOutput: { type: "json", value: [{ url: "u", type: "web_search_result" }] } }), {
    tool: "web_search",
    providerExecuted: true,
    metadata: { anthropic: { caller: "c" } },
    resultMetadata: { anthropic: { result: "r" } },
  });
  const step = assistant([text("I search."), search, text("Found.")]);

  it("stay in place with their result, as stored", () => {
    const messages = toModelMessages([hi, step, next], model);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[1]?.content).toEqual([
      { type: "text", text: "I search." },
      {
        type: "tool-call",
        toolCallId: "srvtoolu_1",
        toolName: "web_search",
        input: { query: "x" },
        providerExecuted: true,
        providerOptions: { anthropic: { caller: "c" } },
      },
      {
        type: "tool-result",
        toolCallId: "srvtoolu_1",
        toolName: "web_search",
        output: { type: "json", value: [{ url: "u", type: "web_search_result" }] },
        providerOptions: { anthropic: { result: "r" } },
      },
      { type: "text", text: "Found." },
    ]);
  });

  it("lose their provider's metadata when they become ordinary calls", () => {
    const interrupted = tool("srv_1", errored("interrupted"), { providerExecuted: true, metadata: { google: { serverToolCallId: "x" } } });
    const [, said, results] = toModelMessages([hi, assistant([interrupted])], model);
    expect(said?.content).toEqual([{ type: "tool-call", toolCallId: "srv_1", toolName: "read", input: {} }]);
    expect(JSON.stringify(results)).not.toContain("serverToolCallId");
  });

  it.each([
    ["another model", step, otherModel],
    ["a wire without a place for them", assistant(step.parts, { providerID: "mistral.chat", modelID: "m" }), { provider: "mistral.chat", modelId: "m" }],
    ["a step that did not complete", assistant(step.parts, failed("aborted")), model],
  ])("become ordinary calls and results for %s", (_name, message, target) => {
    const messages = toModelMessages([hi, message], target);
    expect(messages.map(({ role }) => role).slice(0, 3)).toEqual(["user", "assistant", "tool"]);
    expect(JSON.stringify(messages)).not.toContain("providerExecuted");
    expect(messages[2]?.content).toMatchObject([{ toolName: "web_search", output: { type: "json" } }]);
    expect(validateModelMessages(messages, profileFor(target))).toEqual([]);
  });

  it("may give their result in a later message", () => {
    const early = assistant([tool("srv_1", completed("later"), { tool: "code_execution", providerExecuted: true, deferred: "call" }), tool("call_a", completed("A"))], { id: "msg_1" });
    const late = assistant([tool("srv_1", completed("", { modelOutput: { type: "json", value: 1 } }), { tool: "code_execution", providerExecuted: true, deferred: "result" }), text("done")], { id: "msg_2" });
    const messages = toModelMessages([hi, early, late, next], model);
    expect(messages[1]?.content).toMatchObject([{ type: "tool-call", toolCallId: "srv_1", providerExecuted: true }, { toolCallId: "call_a" }]);
    expect(messages[3]?.content).toMatchObject([{ type: "tool-result", toolCallId: "srv_1" }, { text: "done" }]);
    // A window that starts after the call has no place for a lone result.
    expect(validateModelMessages(toModelMessages([hi, late, next], model), profileFor(model))).toEqual([]);
  });

  it("carry the answer to a request for leave in the tool message", () => {
    const origin = { providerID: otherModel.provider, modelID: otherModel.modelId };
    const approval = { id: "mcpr_1", approved: true };
    const asked = assistant([tool("call_mcp", completed("Approved."), { tool: "mcp.create", providerExecuted: true, approval })], origin);
    expect(toModelMessages([hi, asked], otherModel).slice(1)).toEqual([
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "call_mcp", toolName: "mcp.create", input: { path: "a" }, providerExecuted: true }],
      },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "mcpr_1", approved: true }] },
    ]);
  });
});

describe("damage", () => {
  it("replaces half characters everywhere: text, keys, inputs, outputs, names, metadata", () => {
    const half = "a\uD83Db";
    const history = [
      user([text(half), file("image/png", png, { filename: half })]),
      assistant([
        text(half, { metadata: { anthropic: { [half]: half } } }),
        tool(half, completed(half, { input: { [half]: [half] }, modelOutput: { type: "json", value: { [half]: half } } }), { tool: half }),
        tool("b", errored(half)),
      ]),
    ];
    const messages = toModelMessages(history, model);
    expect(validateModelMessages(messages, profileFor(model))).toEqual([]);
    expect(JSON.stringify(messages)).not.toMatch(/\\ud83d/i);
    expect(messages[0]?.content[0]).toEqual({ type: "text", text: "a\uFFFDb" });
  });

  it("leaves whole characters alone", () => {
    expect(toModelMessages([user([text("a👍b")])], strict)[0]?.content).toEqual([{ type: "text", text: "a👍b" }]);
  });

  it("leaves out rows that cannot be read, and does not fall over them", () => {
    const broken = [null, {}, { type: "tool", callID: "a", tool: "read" }, { type: "tool", callID: "b", tool: "read", state: { status: "completed" } }, { type: "news" }, { type: "text" }];
    // What a damaged store may give.
    const history = [user(broken as never), assistant([...(broken as never[]), text("fine")])];
    expect(() => toModelMessages(history, strict)).not.toThrow();
    expect(JSON.stringify(toModelMessages(history, strict))).toContain("fine");
  });
});
