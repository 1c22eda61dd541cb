import type { MessageError } from "../../message/message-error.ts";
import type { AssistantMessage } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import { hasContent } from "../owed.ts";
import { messageError } from "../step/step-ending.ts";

/** A reply without content that is not what the model had to say: it says nothing, and calls nothing. */
export const emptyReply: MessageError = messageError("empty", "The model ended its answer without saying anything.");

/**
 * Why a model call is to be made again, or has failed: its error, or that it says nothing. A reply that was cut at the output
 * limit before it said anything would be cut again.
 */
export function replyFailure(message: AssistantMessage, parts: readonly Part[]): MessageError | undefined {
  if (message.error !== undefined) return message.error;
  const isEmpty = message.finish !== undefined && message.finish !== "length" && !parts.some(({ type }) => type === "tool");
  return isEmpty && !hasContent({ info: message, parts: [...parts] }) ? emptyReply : undefined;
}
