import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as schema from "../../src/schema/index.ts";
import * as sample from "./samples.ts";

type Name = keyof typeof schema;

/** Valid values of every exported schema. A schema without a line here does not compile. */
const valid: Record<Name, unknown[]> = {
  agentPartSchema: [sample.parts.agent],
  askReplySchema: [{ decision: "once" }, { decision: "always" }, { decision: "reject", message: "no" }, { decision: "answer", answers: ["a"] }],
  askSchema: [sample.ask],
  assistantMessageSchema: [sample.assistantMessage],
  compactionPartSchema: [sample.parts.compaction],
  customPartSchema: [sample.parts.custom],
  deliverySchema: ["queue", "steer"],
  filePartSchema: [sample.filePart],
  jsonObjectSchema: [{}, { a: undefined, b: { c: [null, 1, "x", true] } }],
  jsonValueSchema: [null, "", 0, false, [], {}],
  messageErrorCodeSchema: ["aborted", "unknown"],
  messageErrorSchema: [sample.error],
  messageSchema: [sample.userMessage, sample.assistantMessage],
  modelOutputContentSchema: [{ type: "text", text: "" }],
  modelOutputSchema: [
    { type: "text", value: "" },
    { type: "json", value: { a: 1 } },
    { type: "error-text", value: "" },
    { type: "error-json", value: null },
    { type: "execution-denied", reason: "rule" },
    { type: "content", value: [] },
  ],
  modelRefSchema: [{ providerID: "p", modelID: "m" }],
  outcomeSchema: [{ type: "answered", time: 1 }],
  outcomeTypeSchema: ["answered", "cancelled"],
  partSchema: Object.values(sample.parts),
  patchPartSchema: [sample.parts.patch],
  permissionActionSchema: ["allow", "deny", "ask"],
  permissionRuleSchema: [{ permission: "*", pattern: "*", action: "allow" }],
  providerMetadataSchema: [{}, { openai: { itemId: "i" } }],
  reasoningPartSchema: [sample.parts.reasoning],
  retryPartSchema: [sample.parts.retry],
  sessionInfoSchema: [sample.session],
  sourcePartSchema: [sample.parts.source],
  stepFinishPartSchema: [sample.parts["step-finish"]],
  stepStartPartSchema: [sample.parts["step-start"]],
  storedFormatSchema: [{ type: "text" }, { type: "json_schema", schema: {}, retryCount: 0 }],
  subtaskPartSchema: [sample.parts.subtask],
  textPartSchema: [sample.parts.text],
  todoSchema: sample.session.todos,
  tokensSchema: [sample.tokens],
  toolPartSchema: [sample.parts.tool],
  toolStateCompletedSchema: [sample.toolStates.completed],
  toolStateErrorSchema: [sample.toolStates.error],
  toolStatePendingSchema: [sample.toolStates.pending],
  toolStateRunningSchema: [sample.toolStates.running],
  toolStateSchema: Object.values(sample.toolStates),
  userMessageSchema: [sample.userMessage],
  withPartsSchema: [{ info: sample.assistantMessage, parts: Object.values(sample.parts) }],
};

// Object.entries forgets which keys there are; a module's keys are exactly its exports.
const schemas = Object.entries(schema) as [Name, z.ZodType][];

/** The path of the first problem, or undefined when the value passes. */
function failedAt(rule: z.ZodType, value: unknown): string | undefined {
  return rule.safeParse(value).error?.issues[0]?.path.join(".");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

describe("valid rows", () => {
  test.each(schemas)("%s passes its samples and changes nothing", (name, rule) => {
    for (const value of valid[name]) expect(rule.parse(value)).toEqual(value);
  });

  test.each(schemas)("%s refuses a value of another kind", (_name, rule) => {
    expect(rule.safeParse(Symbol("no JSON")).success).toBe(false);
  });

  test.each(schemas.filter(([, rule]) => rule instanceof z.ZodObject))("%s names each field that holds nonsense", (name, rule) => {
    for (const value of valid[name]) {
      if (!isRecord(value)) throw new Error("a sample of an object schema must be an object");
      for (const field of Object.keys(value)) {
        expect(failedAt(rule, { ...value, [field]: Symbol("no JSON") })).toBe(field);
      }
    }
  });
});

describe("broken rows are refused at the right place", () => {
  const part = schema.partSchema;
  const message = schema.messageSchema;
  const session = schema.sessionInfoSchema;
  const text = sample.parts.text;
  const cases: [name: string, rule: z.ZodType, value: unknown, path: string][] = [
    ["a text part without its text", part, { ...text, text: undefined }, "text"],
    ["a part of an unknown type", part, { ...text, type: "hologram" }, "type"],
    ["a message of an unknown role", message, { ...sample.userMessage, role: "system" }, "role"],
    ["a negative token count", session, { ...sample.session, tokens: { ...sample.tokens, input: -1 } }, "tokens.input"],
    ["a token count that is no number", session, { ...sample.session, tokens: { ...sample.tokens, output: NaN } }, "tokens.output"],
    ["an infinite cache count", session, { ...sample.session, tokens: { ...sample.tokens, cache: { read: Infinity, write: 0 } } }, "tokens.cache.read"],
    ["a fractional seq", session, { ...sample.session, seq: 1.5 }, "seq"],
    ["a rule with an unknown action", session, { ...sample.session, permission: [{ permission: "*", action: "maybe" }] }, "permission.0.action"],
    ["metadata that JSON cannot carry", session, { ...sample.session, metadata: { when: new Date(0) } }, "metadata.when"],
    ["an error without a code", message, { ...sample.assistantMessage, error: { ...sample.error, code: undefined } }, "error.code"],
    ["a step numbered from zero", message, { ...sample.assistantMessage, step: 0 }, "step"],
    ["an unknown outcome", message, { ...sample.userMessage, outcome: { type: "vanished", time: 1 } }, "outcome.type"],
    ["a tool state that does not exist", part, { ...sample.parts.tool, state: { status: "paused", input: {} } }, "state.status"],
    ["a completed call without its end", part, { ...sample.parts.tool, state: { ...sample.toolStates.completed, time: { start: 1 } } }, "state.time.end"],
    ["a custom part whose kind names no provider", part, { ...sample.parts.custom, kind: "compaction" }, "kind"],
    ["an ask with a reply nobody can give", schema.askSchema, { ...sample.ask, reply: { decision: "perhaps" } }, "reply.decision"],
    ["the third part of a message", schema.withPartsSchema, { info: sample.userMessage, parts: [text, text, { ...text, id: 3 }] }, "parts.2.id"],
  ];

  test.each(cases)("%s", (_name, rule, value, path) => {
    expect(failedAt(rule, value)).toBe(path);
  });
});

test("keys of a newer version are kept, at any depth", () => {
  const newer = { ...sample.parts.tool, colour: "red", state: { ...sample.toolStates.running, mood: 1, time: { start: 1, queued: 0 } } };
  expect(schema.partSchema.parse(newer)).toEqual(newer);
});

test("optional fields may be absent or undefined", () => {
  const { model, permissions, ...bare } = sample.userMessage;
  expect(permissions).toBeDefined();
  expect(schema.userMessageSchema.safeParse({ ...bare, model }).success).toBe(true);
  expect(schema.userMessageSchema.safeParse({ ...bare, model, permissions: undefined }).success).toBe(true);
});

test.each(schemas)("%s can be shown as JSON Schema", (_name, rule) => {
  expect(() => z.toJSONSchema(rule)).not.toThrow();
});
