import fc from "fast-check";
import type { JSONValue } from "../../src/message/json.ts";
import type { AssistantMessage, UserMessage, WithParts } from "../../src/message/message.ts";
import type { MessageErrorCode } from "../../src/message/message-error.ts";
import type { Part } from "../../src/message/part.ts";
import type { ModelOutput, ToolState } from "../../src/message/tool-state.ts";
import { assistant, jpeg, pdf, png, user, type Bare } from "./projection-samples.ts";

/** A provider and a model of each family, so that a history switches between them. */
export const models = [
  { providerID: "anthropic.messages", modelID: "claude" },
  { providerID: "openai.responses", modelID: "gpt" },
  { providerID: "openai.chat", modelID: "gpt" },
  { providerID: "local.chat", modelID: "qwen" },
  { providerID: "google.generative-ai", modelID: "gemini-2.5" },
  { providerID: "google.generative-ai", modelID: "gemini-3" },
  { providerID: "mistral.chat", modelID: "mistral-large" },
  { providerID: "groq.chat", modelID: "gpt-oss" },
  { providerID: "xai.responses", modelID: "grok" },
  { providerID: "amazon-bedrock", modelID: "nova" },
  { providerID: "deepseek.chat", modelID: "deepseek" },
  { providerID: "scripted", modelID: "scripted-model" },
];

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Blank, ordinary, astral and broken text. */
const anyText = fc.oneof(
  fc.constantFrom("", " \n\t", "hello", "👍 fine", "a\uD83Db", "\uDE00"),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const callID = fc.oneof(fc.constantFrom("", "call_0", "call_1", "srv_0", "abcdefghi", "toolu_ü", "x".repeat(70)), anyText);
const mime = fc.constantFrom("image/png", "image/jpg", "IMAGE/WEBP", "image/svg+xml", "application/pdf", "audio/wav", "text/plain", "application/x-directory", "application/zip", "", "image");
const url = fc.constantFrom(png, png, jpeg, pdf, "data:;base64,R0lGODlh", "data:image/png;base64,!", `data:image/png;base64,${"A".repeat(400)}`, "data:image/png;base64,", "data:,hi", "https://example.com/a.png", "http://[", "file:///a.png", "");
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JSONValue>;
const metadata = maybe(fc.dictionary(fc.constantFrom("anthropic", "openai", "google"), fc.dictionary(anyText, json, { maxKeys: 2 }), { maxKeys: 2 }));
const time = fc.record({ start: fc.nat(), end: fc.nat(), compacted: maybe(fc.nat()) });

const file = fc.record({ type: fc.constant("file" as const), mime, url, filename: maybe(anyText), reasoning: maybe(fc.boolean()), metadata });
const attachments = maybe(fc.array(file.map((part) => ({ ...part, id: "prt", sessionID: "ses", messageID: "msg" })), { maxLength: 3 }));

const contentItem = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: anyText }),
  fc.record({ type: fc.constant("file" as const), mediaType: mime, filename: maybe(anyText), data: fc.record({ type: fc.constant("data" as const), data: fc.constantFrom("", "AA==", "iVBORw0KGgo=", "JVBERi0xLjQ=", "/9j/4A") }) }),
  fc.record({ type: fc.constant("file" as const), mediaType: mime, data: fc.record({ type: fc.constant("url" as const), url }) }),
);
const modelOutput: fc.Arbitrary<ModelOutput | undefined> = maybe(
  fc.oneof(
    fc.record({ type: fc.constantFrom("text" as const, "error-text" as const), value: anyText }),
    fc.record({ type: fc.constantFrom("json" as const, "error-json" as const), value: json }),
    fc.record({ type: fc.constant("execution-denied" as const), reason: maybe(anyText) }),
    fc.record({ type: fc.constant("content" as const), value: fc.array(contentItem, { maxLength: 3 }) }),
  ),
);

// Inputs that are no objects are damage: the type does not know them.
const input = fc.oneof(fc.dictionary(anyText, json, { maxKeys: 2 }), fc.constantFrom(null, "text", [1])) as fc.Arbitrary<Record<string, JSONValue>>;

const state: fc.Arbitrary<ToolState> = fc.oneof(
  fc.record({ status: fc.constant("pending" as const), input, raw: anyText }),
  fc.record({ status: fc.constant("running" as const), input, time: fc.record({ start: fc.nat() }) }),
  fc.record({ status: fc.constant("completed" as const), input, output: anyText, title: anyText, metadata: fc.constant({}), attachments, modelOutput, time }),
  fc.record({ status: fc.constant("error" as const), input, error: anyText, modelOutput, time }),
);

const tool = fc.record({
  type: fc.constant("tool" as const),
  callID,
  tool: fc.oneof(fc.constantFrom("read", "web_search", "mcp.read", ""), anyText),
  state,
  metadata,
  resultMetadata: metadata,
  textInput: maybe(fc.boolean()),
  providerExecuted: maybe(fc.boolean()),
  deferred: maybe(fc.constantFrom("call" as const, "result" as const)),
  approval: fc.option(fc.record({ id: anyText, approved: maybe(fc.boolean()), reason: maybe(anyText) }), { nil: undefined, freq: 4 }),
});

const text = fc.record({ type: fc.constant("text" as const), text: anyText, synthetic: maybe(fc.boolean()), ignored: maybe(fc.boolean()), metadata });
const reasoning = fc.record({ type: fc.constant("reasoning" as const), text: anyText, time: fc.record({ start: fc.nat() }), metadata });
const other: fc.Arbitrary<Bare<Part>> = fc.oneof(
  fc.record({ type: fc.constant("custom" as const), kind: fc.constant("openai.compaction" as const), metadata }),
  fc.record({ type: fc.constant("source" as const), sourceID: anyText, metadata }),
  fc.record({ type: fc.constant("subtask" as const), prompt: anyText, description: anyText, agent: anyText }),
  fc.record({ type: fc.constant("agent" as const), name: anyText }),
  fc.record({ type: fc.constant("compaction" as const), auto: fc.boolean() }),
  fc.record({ type: fc.constant("step-start" as const) }),
  fc.record({ type: fc.constant("patch" as const), hash: anyText, files: fc.array(anyText, { maxLength: 1 }) }),
);
const parts = fc.array(fc.oneof({ arbitrary: tool, weight: 3 }, { arbitrary: text, weight: 3 }, reasoning, file, other), { maxLength: 7 });

const errorCode: fc.Arbitrary<MessageErrorCode> = fc.constantFrom("aborted", "interrupted", "network", "length", "overflow");
const error = fc.option(errorCode.map((code) => ({ name: "Error", message: code, code, retryable: false })), { nil: undefined, freq: 3 });

/** A message without its id. */
export type Draft = { role: "user"; fields: Partial<UserMessage>; parts: Bare<Part>[] } | { role: "assistant"; fields: Partial<AssistantMessage>; parts: Bare<Part>[] };

const draft: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({
    role: fc.constant("user" as const),
    fields: fc.record({ state: fc.option(fc.constantFrom("queued" as const, "cancelled" as const), { nil: undefined, freq: 6 }) }),
    parts,
  }),
  fc.record({
    role: fc.constant("assistant" as const),
    fields: fc
      .record({ model: fc.constantFrom(...models), finish: maybe(fc.constantFrom("stop", "tool-calls", "length", "interrupted")), error, summary: maybe(fc.boolean()) })
      .map(({ model, ...fields }) => ({ ...model, ...fields })),
    parts,
  }),
);

/** Any history: all part kinds in all places, all states, damage, models switched in between. */
export const anyHistory: fc.Arbitrary<WithParts[]> = fc
  .array(draft, { maxLength: 8 })
  .map((drafts) =>
    drafts.map((message, index) => {
      const id = `msg_${index}`;
      // So that a summary may follow the message that marks its compaction.
      return message.role === "user" ? user(message.parts, { ...message.fields, id }) : assistant(message.parts, { ...message.fields, id, parentID: `msg_${index - 1}` });
    }),
  );

/** Rows that are no rows, as a damaged store or another program may give them. */
const damage = fc.constantFrom<unknown[]>(null, 7, {}, { type: "text" }, { type: "text", text: 5 }, { type: "tool" }, { type: "tool", callID: "a", tool: "read", state: { status: "completed" } }, { type: "file" }, { type: "reasoning" }, { type: "news" });

/** Any history with damaged rows among its parts. */
export const damagedHistory: fc.Arbitrary<WithParts[]> = fc
  .tuple(anyHistory, fc.array(fc.tuple(fc.nat(), fc.nat(), damage), { minLength: 1, maxLength: 3 }))
  .map(([history, rows]) => {
    const copy = history.map(({ info, parts }) => ({ info, parts: [...parts] }));
    for (const [message, place, row] of rows) {
      const parts = copy[message % Math.max(1, copy.length)]?.parts;
      // The type says what rows should be.
      parts?.splice(place % (parts.length + 1), 0, row as Part);
    }
    return copy;
  });
