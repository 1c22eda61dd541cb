import type { Budget } from "./budget.ts";
import type { JSONObject, JSONValue } from "./json.ts";
import type { MessageError } from "./message-error.ts";
import type { ModelRef } from "./model-ref.ts";
import type { Part } from "./part.ts";
import type { PermissionRule } from "./permission-rule.ts";
import type { Tokens } from "./tokens.ts";

/** The form that a prompt wants its answer in. `schema` is a JSON Schema (stored, so never a live object). */
export type StoredFormat = { type: "text" } | { type: "json_schema"; schema: JSONObject; retryCount: number };

/** How a prompt that arrives while the session is busy is delivered. */
export type Delivery = "queue" | "steer";

/** How a prompt ended: written once, never changed. */
export type OutcomeType = "answered" | "aborted" | "rejected" | "error" | "limit" | "cancelled";

export interface Outcome {
  type: OutcomeType;
  /** Set for `error`, and for `limit` (it says which limit). */
  error?: MessageError | undefined;
  /** Milliseconds since the epoch. */
  time: number;
}

/** A prompt. */
export interface UserMessage {
  id: string;
  sessionID: string;
  role: "user";
  agent: string;
  model: ModelRef;
  format?: StoredFormat | undefined;
  /** Extra system text, for this prompt only. */
  system?: string | undefined;
  /** Permission rules that limit this prompt; they can only take away. */
  permissions?: PermissionRule[] | undefined;
  /** The caller's own trace id; events of the turn carry it as `turnID`. */
  traceID?: string | undefined;
  delivery?: Delivery | undefined;
  /** Most model steps that this prompt may take. */
  maxSteps?: number | undefined;
  /** What this prompt may use, where it is not the agent's budget. */
  budget?: Budget | undefined;
  /** `queued` until promoted into the transcript, `cancelled` when it never was. Absent once promoted. */
  state?: "queued" | "cancelled" | undefined;
  /** Place in the transcript: given once, at promotion. A queued prompt has none. */
  position?: number | undefined;
  outcome?: Outcome | undefined;
  /** Milliseconds since the epoch. */
  time: { created: number };
}

/** One model call. A turn with tools is a chain of these, all with the same `parentID`. */
export interface AssistantMessage {
  id: string;
  sessionID: string;
  role: "assistant";
  /** The user message that this call answers. */
  parentID: string;
  agent: string;
  /** The model that was called: the origin of all provider metadata on this message's parts. */
  providerID: string;
  modelID: string;
  /** Number of the model step in its turn, from 1. */
  step: number;
  /** Number of the attempt at this step, from 1. */
  attempt: number;
  /** Place in the transcript: given once, when the message is created. */
  position: number;
  /** The provider's finish reason, for diagnosis: the loop does not continue by it. Absent when the call was cut. */
  finish?: string | undefined;
  error?: MessageError | undefined;
  /** True for the reply of a summary call. */
  summary?: boolean | undefined;
  /** The captured structured output. */
  structured?: JSONValue | undefined;
  tokens: Tokens;
  /** In the unit of the `prices` option. */
  cost: number;
  /** What the failed attempts used that this one took the place of: their rows are gone, and a budget counts them all the same. */
  dropped?: { tokens: Tokens; cost: number; durationMs: number } | undefined;
  /** Milliseconds since the epoch. `completed` is absent while the call or one of its tools runs. */
  time: { created: number; completed?: number | undefined };
}

export type Message = UserMessage | AssistantMessage;

/** A message with its parts, in order. */
export interface WithParts<M extends Message = Message> {
  info: M;
  parts: Part[];
}
