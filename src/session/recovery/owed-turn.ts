import type { AssistantMessage, UserMessage, WithParts } from "../../message/message.ts";

/** A turn that has begun and has no outcome. */
export interface OwedTurn {
  /** The prompt, and those that joined it, oldest first. */
  prompts: readonly WithParts<UserMessage>[];
  /** The model's messages of the turn, oldest first. */
  messages: readonly WithParts<AssistantMessage>[];
  /** Steps that it had taken when it was compacted: their messages may be hidden. 0 when it was not. */
  compactedSteps: number;
}

/**
 * The turn that a transcript (oldest first) owes an outcome. There is one at most: a prompt is promoted in the commit that
 * closes the one before it.
 */
export function findOwedTurn(entries: readonly WithParts[]): OwedTurn | undefined {
  const prompts = entries.filter(isOwedPrompt);
  const [prompt] = prompts;
  if (prompt === undefined) return undefined;
  const { id, position = 0 } = prompt.info;
  // Of a compaction in the midst of this turn, not of one before it.
  const summary = entries.filter(isAnswer).find(({ info }) => info.summary === true && info.position > position);
  return { prompts, messages: entries.filter(isAnswer).filter(({ info }) => info.parentID === id), compactedSteps: summary?.info.step ?? 0 };
}

/** Whether it is a prompt that has begun and has no outcome. */
export function isOwedPrompt(entry: WithParts): entry is WithParts<UserMessage> {
  return entry.info.role === "user" && entry.info.state === undefined && entry.info.outcome === undefined;
}

function isAnswer(entry: WithParts): entry is WithParts<AssistantMessage> {
  return entry.info.role === "assistant";
}
