import type { FilePart } from "../../src/message/file-part.ts";
import type { AssistantMessage, UserMessage, WithParts } from "../../src/message/message.ts";
import type { MessageErrorCode } from "../../src/message/message-error.ts";
import type { Part, TextPart, ToolPart } from "../../src/message/part.ts";
import { zeroTokens } from "../../src/message/tokens.ts";
import type { ToolState, ToolStateCompleted } from "../../src/message/tool-state.ts";

/** A part without the ids that all parts have. */
export type Bare<P> = P extends Part ? Omit<P, "id" | "sessionID" | "messageID"> : never;

/** The model that the samples come from, as the AI SDK names it. */
export const model = { provider: "anthropic.messages", modelId: "claude-test" };
export const otherModel = { provider: "openai.responses", modelId: "gpt-test" };

/** The first bytes of each format: the least that passes for one. */
export const png = "data:image/png;base64,iVBORw0KGgo=";
export const jpeg = "data:image/jpeg;base64,/9j/4AAQ";
export const pdf = "data:application/pdf;base64,JVBERi0xLjQ=";

export function user(parts: readonly Bare<Part>[], fields: Partial<UserMessage> = {}): WithParts<UserMessage> {
  const id = fields.id ?? "msg_user";
  const info: UserMessage = {
    id,
    sessionID: "ses_1",
    role: "user",
    agent: "main",
    model: { providerID: model.provider, modelID: model.modelId },
    time: { created: 0 },
    ...fields,
  };
  return { info, parts: withIDs(parts, id) };
}

export function assistant(parts: readonly Bare<Part>[], fields: Partial<AssistantMessage> = {}): WithParts<AssistantMessage> {
  const id = fields.id ?? "msg_assistant";
  const info: AssistantMessage = {
    id,
    sessionID: "ses_1",
    role: "assistant",
    parentID: "msg_user",
    agent: "main",
    providerID: model.provider,
    modelID: model.modelId,
    step: 1,
    attempt: 1,
    position: 1,
    finish: "stop",
    tokens: zeroTokens(),
    cost: 0,
    time: { created: 0, completed: 1 },
    ...fields,
  };
  return { info, parts: withIDs(parts, id) };
}

function withIDs(parts: readonly Bare<Part>[], messageID: string): Part[] {
  return parts.map((part, index) => ({ ...part, id: `${messageID}_${index}`, sessionID: "ses_1", messageID }));
}

export function failed(code: MessageErrorCode): Partial<AssistantMessage> {
  return { finish: undefined, error: { name: "Error", message: code, code, retryable: false } };
}

export function text(value: string, fields: Partial<TextPart> = {}): Bare<TextPart> {
  return { type: "text", text: value, ...fields };
}

export function reasoning(value: string, signature?: string): Bare<Part> {
  const metadata = signature === undefined ? {} : { metadata: { anthropic: { signature } } };
  return { type: "reasoning", text: value, time: { start: 0, end: 1 }, ...metadata };
}

export function file(mime: string, url: string, fields: Partial<FilePart> = {}): Bare<FilePart> {
  return { type: "file", mime, url, ...fields };
}

export function attachment(mime: string, url: string, filename?: string): FilePart {
  return { ...file(mime, url, { filename }), id: "prt_attachment", sessionID: "ses_1", messageID: "msg_assistant" };
}

export function tool(callID: string, state: ToolState, fields: Partial<ToolPart> = {}): Bare<ToolPart> {
  return { type: "tool", callID, tool: "read", state, ...fields };
}

export function completed(output: string, fields: Partial<ToolStateCompleted> = {}): ToolState {
  return { status: "completed", input: { path: "a" }, output, title: "", metadata: {}, time: { start: 0, end: 1 }, ...fields };
}

export function errored(error: string): ToolState {
  return { status: "error", input: {}, error, time: { start: 0, end: 1 } };
}

export const pending: ToolState = { status: "pending", input: {}, raw: "{" };
export const running: ToolState = { status: "running", input: { path: "a" }, time: { start: 0 } };

export const stepStart: Bare<Part> = { type: "step-start" };
export const stepFinish: Bare<Part> = { type: "step-finish", reason: "stop", cost: 0, tokens: zeroTokens() };
