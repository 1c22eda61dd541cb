import type { Ask } from "../../src/message/ask.ts";
import type { FilePart } from "../../src/message/file-part.ts";
import type { MessageError } from "../../src/message/message-error.ts";
import type { AssistantMessage, UserMessage } from "../../src/message/message.ts";
import type { Part } from "../../src/message/part.ts";
import type { SessionInfo } from "../../src/message/session-info.ts";
import type { Tokens } from "../../src/message/tokens.ts";
import type { ToolState } from "../../src/message/tool-state.ts";

/** One full row of every stored kind: each optional field is set somewhere, so that none goes unread. */

export const tokens: Tokens = { input: 12, output: 3, reasoning: 0, cache: { read: 1024, write: 0 } };

export const error: MessageError = {
  name: "AI_APICallError",
  message: "Too many requests",
  code: "rate-limit",
  retryable: true,
  statusCode: 429,
  responseBody: "{}",
};

const base = { id: "prt_1", sessionID: "ses_1", messageID: "msg_2" };
const metadata = { anthropic: { signature: "c2ln" } };

export const session: SessionInfo = {
  id: "ses_2",
  parentID: "ses_1",
  rootID: "ses_1",
  title: "Explain the README",
  agent: "build",
  model: { providerID: "anthropic", modelID: "claude" },
  directory: "/srv/app",
  projectID: "app",
  permission: [{ permission: "bash", pattern: "git push*", action: "ask" }],
  todos: [{ content: "Read", status: "in_progress", priority: "high" }],
  revert: { messageID: "msg_1", partID: "prt_1", snapshot: "abc" },
  metadata: { ticket: 7, labels: ["a", null], nested: { deep: true } },
  cost: 0.01,
  tokens,
  time: { created: 1, updated: 2 },
  seq: 4,
};

export const userMessage: UserMessage = {
  id: "msg_1",
  sessionID: "ses_1",
  role: "user",
  agent: "build",
  model: { providerID: "anthropic", modelID: "claude" },
  format: { type: "json_schema", schema: { type: "object" }, retryCount: 2 },
  system: "Be brief.",
  permissions: [{ permission: "*", action: "deny" }],
  traceID: "trace-1",
  delivery: "steer",
  maxSteps: 5,
  state: "queued",
  position: 0,
  outcome: { type: "error", error, time: 3 },
  time: { created: 1 },
};

export const assistantMessage: AssistantMessage = {
  id: "msg_2",
  sessionID: "ses_1",
  role: "assistant",
  parentID: "msg_1",
  agent: "build",
  providerID: "anthropic",
  modelID: "claude",
  step: 1,
  attempt: 1,
  position: 1,
  finish: "stop",
  error,
  summary: true,
  structured: [1, "two", null],
  tokens,
  cost: 0.01,
  time: { created: 1, completed: 2 },
};

export const filePart: FilePart = {
  ...base,
  type: "file",
  mime: "image/png",
  filename: "a.png",
  url: "data:image/png;base64,AA==",
  reasoning: false,
  metadata,
};

export const toolStates: { [Status in ToolState["status"]]: Extract<ToolState, { status: Status }> } = {
  pending: { status: "pending", input: {}, raw: '{"path":' },
  running: { status: "running", input: { path: "a" }, title: "Read a", metadata: { pid: 1 }, time: { start: 1 } },
  completed: {
    status: "completed",
    input: { path: "a" },
    output: "text",
    title: "Read a",
    metadata: {},
    attachments: [filePart],
    modelOutput: {
      type: "content",
      value: [
        { type: "text", text: "text" },
        { type: "file", mediaType: "image/png", filename: "a.png", data: { type: "data", data: "AA==" } },
        { type: "file", mediaType: "image/png", data: { type: "url", url: "https://example.com/a.png" } },
      ],
    },
    time: { start: 1, end: 2, compacted: 3 },
  },
  error: {
    status: "error",
    input: {},
    raw: "{",
    error: "The arguments are no JSON object.",
    metadata: {},
    modelOutput: { type: "execution-denied", reason: "rule" },
    time: { start: 1, end: 2, compacted: 3 },
  },
};

export const parts: { [Type in Part["type"]]: Extract<Part, { type: Type }> } = {
  text: { ...base, type: "text", text: "hi", synthetic: true, ignored: false, time: { start: 1, end: 2 }, metadata },
  reasoning: { ...base, type: "reasoning", text: "hm", metadata, time: { start: 1, end: 2 } },
  file: filePart,
  tool: {
    ...base,
    type: "tool",
    callID: "call_0",
    tool: "read_file",
    state: toolStates.completed,
    metadata,
    resultMetadata: metadata,
    textInput: false,
    providerExecuted: true,
    deferred: "call",
    approval: { id: "apr_1", approved: true, reason: "fine" },
  },
  source: { ...base, type: "source", sourceID: "s", url: "https://example.com", title: "t", mime: "text/html", filename: "f", metadata },
  custom: { ...base, type: "custom", kind: "openai.compaction", metadata },
  subtask: {
    ...base,
    type: "subtask",
    prompt: "Look",
    description: "Looks",
    agent: "explore",
    model: { providerID: "openai", modelID: "gpt" },
    command: "look",
  },
  agent: { ...base, type: "agent", name: "explore", source: { value: "@explore", start: 0, end: 8 } },
  compaction: { ...base, type: "compaction", auto: true, overflow: true, tail_start_id: "msg_1" },
  "step-start": { ...base, type: "step-start", snapshot: "abc" },
  "step-finish": { ...base, type: "step-finish", reason: "stop", rawReason: "end_turn", snapshot: "abc", cost: 0, tokens, metadata },
  retry: { ...base, type: "retry", attempt: 1, error, time: { created: 1 } },
  patch: { ...base, type: "patch", hash: "abc", files: ["a"], metadata: { kind: "git" } },
};

export const ask: Ask = {
  id: "ask_1",
  sessionID: "ses_1",
  rootID: "ses_1",
  messageID: "msg_2",
  partID: "prt_1",
  callID: "call_0",
  permission: "bash",
  patterns: ["git push"],
  always: ["git push*"],
  tool: "bash",
  input: { command: "git push" },
  title: "git push",
  impact: "Changes a remote",
  diff: "+a",
  expires: 9,
  status: "replied",
  reply: { decision: "reject", message: "not now" },
  time: { created: 1, replied: 2 },
};
