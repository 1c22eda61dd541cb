import type { Ask, AskReply } from "../message/ask.ts";
import type { JSONObject } from "../message/json.ts";
import type { MessageError } from "../message/message-error.ts";
import type { Message, OutcomeType } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { SessionInfo } from "../message/session-info.ts";
import type { Tokens } from "../message/tokens.ts";
import type { RequestChangeReason } from "./prefix/request-change.ts";
import type { Damage } from "../storage/storage.ts";

/** What a session is doing. */
export type SessionStatus =
  | { type: "idle" }
  | { type: "busy" }
  | { type: "retry"; attempt: number; delayMs: number; error: MessageError }
  | { type: "waiting" }
  | { type: "compacting" };

/** What each event carries besides {@link EventBase}. */
interface EventPayloads {
  "session.created": { session: SessionInfo };
  "session.updated": { session: SessionInfo };
  "session.deleted": { session: SessionInfo };
  /** This object was closed; the stored session is as it was. */
  "session.closed": { session: SessionInfo };
  "session.status": { status: SessionStatus };
  "session.error": { error: MessageError };
  /** The history was compacted: the message marks where, and its summary answers it. */
  "session.compacted": { messageID: string };
  /**
   * A record in the store cannot be read, and was set aside. Told by an agent also of sessions that are not open there:
   * then `rootID` is empty and `seq` 0; so is `sessionID` when the record does not tell whose it is.
   */
  "session.damaged": { damage: Damage };
  "turn.started": { messageID: string };
  /** The last event of a turn, except for `session.*`. */
  "turn.finished": { messageID: string; outcome: OutcomeType; tokens: Tokens; cost: number };
  "step.started": { messageID: string; step: number; attempt: number };
  /** The model call is complete; its tools may still run. */
  "step.finished": { messageID: string; finish: string; tokens: Tokens; cost: number };
  /** The attempt failed: its message and parts are gone. */
  "step.dropped": { messageID: string; error: MessageError };
  "step.retry": { messageID: string; attempt: number; delayMs: number; error: MessageError };
  /**
   * The request does not begin as the one before it: the provider reads it anew. Only with the option `checkPrefix`, and not
   * after a compaction. `path` is the first part that differs.
   */
  "request.changed": { messageID: string; reason: RequestChangeReason; path: string };
  "message.updated": { message: Message };
  "message.removed": { messageID: string };
  "part.updated": { part: Part };
  /**
   * Text that was added to a text or reasoning part at `offset` (in UTF-16 code units). The only event before its commit.
   */
  "part.delta": { messageID: string; partID: string; partType: "text" | "reasoning"; field: "text"; offset: number; delta: string };
  "part.removed": { messageID: string; partID: string };
  "tool.started": ToolEvent & { title?: string | undefined; input: JSONObject };
  "tool.progress": ToolEvent & { title?: string | undefined; metadata: JSONObject };
  /** The call has its result. `durationMs` is 0 for a call that never ran. */
  "tool.finished": ToolEvent & { title?: string | undefined; status: "completed" | "error"; durationMs: number };
  /** A call, or a tool that runs, waits for an answer. */
  "ask.created": { ask: Ask };
  /** Somebody has answered; also the engine, for an ask that saved rules allow meanwhile, or whose time is over. */
  "ask.replied": { ask: Ask; reply: AskReply };
  /** It needs no answer any more: its turn was aborted, or its tool has ended. */
  "ask.closed": { ask: Ask };
  "prompt.admitted": { messageID: string };
  "prompt.promoted": { messageID: string };
  "prompt.cancelled": { messageID: string };
}

interface ToolEvent {
  messageID: string;
  partID: string;
  callID: string;
  tool: string;
}

export type SessionEventType = keyof EventPayloads;

/** The name of every event, so that a misspelt one can be told. */
export const eventNames: Readonly<Record<SessionEventType, true>> = {
  "session.created": true,
  "session.updated": true,
  "session.deleted": true,
  "session.closed": true,
  "session.status": true,
  "session.error": true,
  "session.compacted": true,
  "session.damaged": true,
  "turn.started": true,
  "turn.finished": true,
  "step.started": true,
  "step.finished": true,
  "step.dropped": true,
  "step.retry": true,
  "request.changed": true,
  "message.updated": true,
  "message.removed": true,
  "part.updated": true,
  "part.delta": true,
  "part.removed": true,
  "tool.started": true,
  "tool.progress": true,
  "tool.finished": true,
  "ask.created": true,
  "ask.replied": true,
  "ask.closed": true,
  "prompt.admitted": true,
  "prompt.promoted": true,
  "prompt.cancelled": true,
};

/** What every event carries. */
export interface EventBase<K extends SessionEventType = SessionEventType> {
  type: K;
  sessionID: string;
  rootID: string;
  /** The session's commit that made this true; a delta carries the one before its own. */
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** The turn: its prompt's `traceID`, or else its message id. */
  turnID?: string | undefined;
}

/** Each event by its name. */
export type SessionEventMap = { [K in SessionEventType]: EventBase<K> & EventPayloads[K] };

/** Any event: a union to switch on by `type`. */
export type SessionEvent = SessionEventMap[SessionEventType];

/** The payload of an event, as the code that causes it gives it. */
export type EventPayload<K extends SessionEventType> = EventPayloads[K];
