import type { SessionEventType } from "throughline";

/** What each event means, in a few words. The compiler keeps the list complete. */
export const eventMeanings: Readonly<Record<SessionEventType, string>> = {
  "session.created": "the session is stored",
  "session.updated": "its row changed: title, model, totals",
  "session.deleted": "the session was removed from the storage",
  "session.closed": "this process let go of it; it stays stored",
  "session.status": "what the session is doing: busy, or idle",
  "session.error": "a turn ended with an error",
  "session.damaged": "a record in the storage cannot be read, and was set aside",
  "turn.started": "the prompt's turn begins",
  "turn.finished": "the prompt has its one outcome",
  "step.started": "a model call begins",
  "step.finished": "the model call is complete, with its usage",
  "step.dropped": "a failed attempt and its parts are gone",
  "step.retry": "the call will be tried again",
  "message.updated": "a message is stored, or has changed",
  "message.removed": "a message is gone",
  "part.updated": "a part of a message is stored, or has changed",
  "part.delta": "text arrives, piece by piece",
  "part.removed": "a part is gone",
  "tool.started": "a tool begins to run",
  "tool.progress": "a tool says what it is doing",
  "tool.finished": "the call has its result",
  "prompt.admitted": "the prompt is stored: a crash does not lose it",
  "prompt.promoted": "it left the queue and has its place in the transcript",
  "prompt.cancelled": "it was taken out of the queue",
};
