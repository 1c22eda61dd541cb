import type { ModelMessage } from "ai";
import type { JSONObject } from "../message/json.ts";

/** What a tool gets with its input. A superset of what the AI SDK passes, so that its tools run unchanged. */
export interface ToolContext {
  /** The provider's id of the call; the same as `callID`. */
  toolCallId: string;
  callID: string;
  /** The messages that the model answered with this call, without the instructions. */
  messages: ModelMessage[];
  /** Fires when the turn is aborted, or when the tool's time is over. Pass it on to whatever the tool waits for. */
  abortSignal: AbortSignal;
  /** The host's own value for tools; `undefined` when it gave none. */
  context: unknown;
  sessionID: string;
  /** The session's `directory`. */
  directory?: string | undefined;
  /** The session's `metadata`: the host's own data. */
  metadata: JSONObject;
  /** The assistant message that holds the call. */
  messageID: string;
  /** The part that holds the call. */
  partID: string;
  /** The prompt's message id, or its `traceID`. */
  turnID: string;
  /** Name of the agent that made the call. */
  agent: string;
  /** Shows people what the tool is doing. Given fields replace earlier ones; the model sees none of it. */
  progress(this: void, update: ToolProgress): void;
}

export interface ToolProgress {
  title?: string | undefined;
  metadata?: JSONObject | undefined;
}
