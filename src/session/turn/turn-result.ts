import { ThroughlineError } from "../../errors.ts";
import type { Ask } from "../../message/ask.ts";
import type { JSONObject } from "../../message/json.ts";
import type { MessageError } from "../../message/message-error.ts";
import type { AssistantMessage, Outcome, WithParts } from "../../message/message.ts";
import { addTokens, zeroTokens, type Tokens } from "../../message/tokens.ts";

/** What a turn came to. */
interface TurnResultBase {
  /** The prompt's message id. */
  messageID: string;
  /** The answer: the text of the last step that has any. */
  text: string;
  /** The model's messages of this turn, oldest first. */
  messages: WithParts<AssistantMessage>[];
  /** Number of model steps. */
  steps: number;
  /** Sum over all steps. */
  tokens: Tokens;
  /** Sum over all steps, in the unit of the `prices` option. */
  cost: number;
  /** The calls that ended as an error. The model saw each of them, so a turn can be answered all the same. */
  toolErrors: ToolCallError[];
}

/** A call that ended as an error. */
export interface ToolCallError {
  messageID: string;
  callID: string;
  tool: string;
  input: JSONObject;
  /** What the model was told. */
  error: string;
}

/** What a turn came to: a union to switch on by `outcome`. */
export type TurnResult<Output = unknown> =
  /** `output` is the answer in the form that the prompt's `format` wants; `undefined` without one. */
  | (TurnResultBase & { outcome: "answered"; output: Output })
  /** Somebody ended it: `text` is what had come until then. */
  | (TurnResultBase & { outcome: "aborted"; error: MessageError; output?: undefined })
  /** It cannot be answered. */
  | (TurnResultBase & { outcome: "error"; error: MessageError; output?: undefined })
  /** A limit ended it; `error` says which. `text` is the model's last word. */
  | (TurnResultBase & { outcome: "limit"; error: MessageError; output?: undefined })
  /** It waits for answers to `asks`, and goes on with `session.resume()` once they are there. Nothing of it is lost. */
  | (TurnResultBase & { outcome: "waiting"; asks: Ask[]; output?: undefined })
  /** A person rejected a call. */
  | (TurnResultBase & { outcome: "rejected"; output?: undefined })
  /** It was taken out of the queue before it began. */
  | (TurnResultBase & { outcome: "cancelled"; output?: undefined });

/** Thrown by awaiting a turn whose outcome is `error`. */
export class TurnFailedError extends ThroughlineError {
  readonly result: TurnResult;
  readonly error: MessageError;

  constructor(result: TurnResult & { outcome: "error" }, cause?: unknown) {
    super("turn-failed", result.error.message, { cause });
    this.result = result;
    this.error = result.error;
  }
}

/** Thrown by awaiting a turn that was aborted. */
export class TurnAbortedError extends ThroughlineError {
  readonly result: TurnResult;

  constructor(result: TurnResult & { outcome: "aborted" }) {
    super("turn-aborted", "The turn was aborted. What had come until then is in `error.result`.");
    this.result = result;
  }
}

const unexplained: MessageError = { name: "Error", message: "The cause was not recorded.", code: "unknown", retryable: false };

/**
 * The result of a turn, from its outcome and its messages.
 *
 * @param output the structured answer as its schema made it, where that is known; else it is as stored
 */
export function toTurnResult(messageID: string, outcome: Pick<Outcome, "type" | "error">, messages: WithParts<AssistantMessage>[], output?: unknown): TurnResult {
  const base = baseOf(messageID, messages);
  const error = outcome.error ?? unexplained;
  switch (outcome.type) {
    case "answered":
      return { ...base, outcome: "answered", output: output ?? messages.at(-1)?.info.structured };
    case "rejected":
    case "cancelled":
      return { ...base, outcome: outcome.type };
    case "aborted":
    case "error":
    case "limit":
      return { ...base, outcome: outcome.type, error };
  }
}

/** The result of a turn that waits for answers. */
export function toWaitingResult(messageID: string, messages: WithParts<AssistantMessage>[], asks: Ask[]): TurnResult {
  return { ...baseOf(messageID, messages), outcome: "waiting", asks };
}

function baseOf(messageID: string, messages: WithParts<AssistantMessage>[]): TurnResultBase {
  return {
    messageID,
    text: answerOf(messages),
    messages,
    steps: messages.length,
    tokens: messages.reduce((sum, { info }) => addTokens(sum, info.tokens), zeroTokens()),
    cost: messages.reduce((sum, { info }) => sum + info.cost, 0),
    toolErrors: messages.flatMap(toolErrorsOf),
  };
}

function answerOf(messages: readonly WithParts[]): string {
  for (const { parts } of [...messages].reverse()) {
    const text = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : [])).join("");
    if (text.trim() !== "") return text;
  }
  return "";
}

function toolErrorsOf({ info, parts }: WithParts): ToolCallError[] {
  return parts.flatMap((part) =>
    part.type === "tool" && part.state.status === "error"
      ? [{ messageID: info.id, callID: part.callID, tool: part.tool, input: part.state.input, error: part.state.error }]
      : [],
  );
}
