import type { ModelMessage } from "ai";
import type { AskReply } from "../message/ask.ts";
import type { JSONObject, JSONValue } from "../message/json.ts";

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
  /**
   * What the tool's newest result had as its `state`, before this step: calls of one step do not see each other's. It is
   * stored in the history, so that it is there after a restart, and that of then after a revert.
   */
  state?: JSONValue | undefined;
  /** Shows people what the tool is doing. Given fields replace earlier ones; the model sees none of it. */
  progress(this: void, update: ToolProgress): void;
  /**
   * Asks a person while the tool runs, and waits for the reply; the wait counts in no time limit. With a `permission`
   * the rules are consulted first: they may allow it without asking.
   *
   * @throws {AskRejectedError} the answer is no: a person or a rule says so, nobody answered in time, nobody can be asked,
   * or the tool has ended
   * @example
   * const { answers } = await context.ask({ title: "Which branch?" })
   */
  ask(this: void, question: ToolQuestion): Promise<ToolAnswer>;
}

/** What a tool knows of a call before it runs. */
export interface PermissionContext {
  sessionID: string;
  /** The session's `directory`. */
  directory?: string | undefined;
  /** Name of the agent that made the call. */
  agent: string;
  /** As the call will get it as `context.state`. */
  readonly state: JSONValue | undefined;
  /** Fires when the turn is aborted. */
  readonly abortSignal: AbortSignal;
}

/** What a tool asks. */
export interface ToolQuestion {
  /** The question, for people. */
  title: string;
  /** Asks for leave: the name that rules are written for. Without it this is a question that wants an answer. */
  permission?: string | undefined;
  /** What is to be touched. Default with a permission: `["*"]`. */
  patterns?: readonly string[] | undefined;
  /** The rules that "always" saves, with wildcards. Default: exactly the patterns. */
  always?: readonly string[] | undefined;
  /** What it would change. */
  impact?: string | undefined;
  /** The change itself. */
  diff?: string | undefined;
  /** Milliseconds after which it counts as rejected. Default: the agent's `asks.timeoutMs`. */
  timeoutMs?: number | undefined;
}

/** A reply that is no rejection. */
export type ToolAnswer = { decision: "once" | "always"; answers?: undefined } | Extract<AskReply, { decision: "answer" }>;

export interface ToolProgress {
  title?: string | undefined;
  metadata?: JSONObject | undefined;
}
