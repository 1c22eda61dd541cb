import type { AssistantMessage, WithParts } from "../message/message.ts";

/**
 * Whether the model owes another answer: it has not seen a prompt, the results of its calls, or a note, or a crash cut its
 * answer.
 * Nothing else continues a turn: a finish reason says how a call ended, not what is still to be done.
 */
export function isOwed(newest: WithParts | undefined): boolean {
  if (newest === undefined) return false;
  return newest.info.role === "user" || newest.info.error?.code === "interrupted" || hasUnseenResults(newest) || endsWithNote(newest);
}

/** Whether the engine has told the model something that it has not seen. */
function endsWithNote({ parts }: WithParts): boolean {
  const last = parts.at(-1);
  return last?.type === "text" && last.synthetic === true;
}

/** Whether a person rejected a call of the message, so that its turn ends. */
export function isRejected(message: WithParts | undefined): boolean {
  return message?.parts.some((part) => part.type === "tool" && part.state.status === "error" && part.state.rejected === true) === true;
}

/** Whether the message has results that no later call has seen: of tools that run here, or an answer to an approval. */
export function hasUnseenResults({ parts }: WithParts): boolean {
  return parts.some((part) => part.type === "tool" && (part.providerExecuted !== true || part.approval !== undefined));
}

/** Whether the message says something: a text, a file, or structured output. */
export function hasContent({ info, parts }: WithParts<AssistantMessage>): boolean {
  if (info.structured !== undefined) return true;
  return parts.some((part) => (part.type === "text" && part.synthetic !== true && part.text.trim() !== "") || (part.type === "file" && part.reasoning !== true));
}
