import { describe, expect, it } from "vitest";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { profileFor } from "../../src/message/profile-for.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { assistant, completed, errored, failed, file, jpeg, model, pending, png, reasoning, running, stepStart, text, tool, user } from "./projection-samples.ts";

const hi = user([text("hi")]);
const next = user([text("go on")], { id: "msg_next" });
const { default: strict, openaiChat, mistral } = modelProfiles;

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

  it("labels a subtask as context", () => {
    const message = user([{ type: "subtask", prompt: "look", description: "look", agent: "explorer" }]);
    const [first] = toModelMessages([message], strict);
    expect(first?.content).toHaveLength(1);
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
        file("", "data:;base64,AA=="),
      ]),
    ];
    const [message] = toModelMessages(history, model);
    expect(message?.content.map((part) => part.type)).toEqual(["text", "text", "text", "text", "text"]);
  });

  it("ignores case and parameters of a media type, and corrects image/jpg", () => {
    const [message] = toModelMessages([user([file("Image/JPG; q=1", jpeg)])], strict);
    expect(message?.content).toMatchObject([{ type: "file", mediaType: "image/jpeg" }]);
  });

  it("merges neighbours only where roles must alternate", () => {
    expect(toModelMessages([hi, next], strict)).toHaveLength(1);
    expect(toModelMessages([hi, next], openaiChat)).toHaveLength(2);
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
