import type { AssistantMessage, UserMessage, WithParts } from "../../message/message.ts";

/** A turn that has begun and has no outcome. */
export interface OwedTurn {
  /** The prompt, and those that joined it, oldest first. */
  prompts: readonly WithParts<UserMessage>[];
  /** The model's messages of the turn, oldest first. */
  messages: readonly WithParts<AssistantMessage>[];
}

/**
 * The turn that a transcript (oldest first) owes an outcome. There is one at most: a prompt is promoted in the commit that
 * closes the one before it.
 */
export function findOwedTurn(entries: readonly WithParts[]): OwedTurn | undefined {
  const prompts = entries.filter(isOwedPrompt);
  const [prompt] = prompts;
  if (prompt === undefined) return undefined;
  const { id } = prompt.info;
  return { prompts, messages: entries.filter((entry): entry is WithParts<AssistantMessage> => entry.info.role === "assistant" && entry.info.parentID === id) };
}

/** Whether it is a prompt that has begun and has no outcome. */
export function isOwedPrompt(entry: WithParts): entry is WithParts<UserMessage> {
  return entry.info.role === "user" && entry.info.state === undefined && entry.info.outcome === undefined;
}
