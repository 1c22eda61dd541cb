import type { AssistantMessage, WithParts } from "../../message/message.ts";

/** How long a stored step was at work, in ms, as far as its row tells: with calls only their own time, since one may have waited for a person. */
export function activeMs({ info: { time }, parts }: WithParts<AssistantMessage>): number {
  const calls = parts.filter((part) => part.type === "tool");
  if (calls.length === 0) return Math.max(0, (time.completed ?? time.created) - time.created);
  return calls.reduce((sum, { state }) => sum + ("time" in state && "end" in state.time ? Math.max(0, state.time.end - state.time.start) : 0), 0);
}
