import type { Ask } from "../../message/ask.ts";
import type { AssistantMessage, UserMessage } from "../../message/message.ts";
import type { TextPart, ToolPart } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { zeroTokens } from "../../message/tokens.ts";
import type { AbortRequest, Artifact } from "../../storage/storage.ts";

/** The session of a test that needs only one. */
export const sessionID = "ses_1";

export function sessionRow(id: string, fields: Partial<SessionInfo> = {}): SessionInfo {
  return {
    id,
    rootID: id,
    title: `Session ${id}`,
    agent: "main",
    permission: [],
    todos: [],
    metadata: {},
    cost: 0,
    tokens: zeroTokens(),
    time: { created: 1, updated: 1 },
    seq: 0,
    ...fields,
  };
}

/** A queued prompt. */
export function promptRow(id: string, fields: Partial<UserMessage> = {}): UserMessage {
  return {
    id,
    sessionID,
    role: "user",
    agent: "main",
    model: { providerID: "test", modelID: "model" },
    state: "queued",
    time: { created: 1 },
    ...fields,
  };
}

export function assistantRow(id: string, position: number, fields: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    id,
    sessionID,
    role: "assistant",
    parentID: "msg_prompt",
    agent: "main",
    providerID: "test",
    modelID: "model",
    step: 1,
    attempt: 1,
    position,
    tokens: zeroTokens(),
    cost: 0,
    time: { created: 1 },
    ...fields,
  };
}

export function textPart(messageID: string, id: string, text = ""): TextPart {
  return { id, sessionID, messageID, type: "text", text };
}

export function toolPart(messageID: string, id: string): ToolPart {
  return {
    id,
    sessionID,
    messageID,
    type: "tool",
    callID: `call_${id}`,
    tool: "read",
    state: { status: "running", input: { path: "a.txt" }, time: { start: 1 } },
  };
}

export function askRow(id: string, fields: Partial<Ask> = {}): Ask {
  return {
    id,
    sessionID,
    rootID: sessionID,
    messageID: "msg_a",
    partID: "prt_a",
    callID: "call_a",
    permission: "bash",
    patterns: ["ls"],
    always: ["ls *"],
    tool: "bash",
    input: { command: "ls" },
    title: "Run ls",
    status: "open",
    time: { created: 1 },
    ...fields,
  };
}

export function artifactRow(id: string, text: string, fields: Partial<Artifact> = {}): Artifact {
  return { id, sessionID, mime: "text/plain", text, size: text.length, time: { created: 1 }, ...fields };
}

export function abortRow(id: string): AbortRequest {
  return { id, queue: "keep", time: 1 };
}
