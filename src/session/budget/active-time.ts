import type { AssistantMessage, WithParts } from "../../message/message.ts";

/**
 * How long a stored step was at work, in ms, as far as its row tells: with calls only their own time, since one may have waited
 * for a person. Of what a crash cut nobody knows when it ended, as recovery, which closes it, may come days later.
 */
export function activeMs({ info: { time, error }, parts }: WithParts<AssistantMessage>): number {
  const wasCut = error?.code === "interrupted";
  const calls = parts.filter((part) => part.type === "tool").filter(({ state }) => !wasCut || state.status === "completed");
  if (wasCut && calls.length === 0) return 0;
  if (calls.length === 0) return Math.max(0, (time.completed ?? time.created) - time.created);
  return calls.reduce((sum, { state }) => sum + ("time" in state && "end" in state.time ? Math.max(0, state.time.end - state.time.start) : 0), 0);
}
