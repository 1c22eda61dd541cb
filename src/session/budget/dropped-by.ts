import type { AssistantMessage, WithParts } from "../../message/message.ts";
import { addTokens, zeroTokens } from "../../message/tokens.ts";
import { activeMs } from "./active-time.ts";

/** What is lost with the row of a failed attempt, unless the one that takes its place keeps it: its own usage, and that of those before it. */
export function droppedBy(failed: WithParts<AssistantMessage>): NonNullable<AssistantMessage["dropped"]> {
  const { tokens, cost, dropped = { tokens: zeroTokens(), cost: 0, durationMs: 0 } } = failed.info;
  return { tokens: addTokens(dropped.tokens, tokens), cost: dropped.cost + cost, durationMs: dropped.durationMs + activeMs(failed) };
}
