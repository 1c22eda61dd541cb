import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { MessageError } from "../../message/message-error.ts";
import type { Journal } from "../journal/journal.ts";
import type { Writing } from "./turn-outcome.ts";

/** How to drop a failed attempt whole, with its parts: in the commit that begins what takes its place. */
export function dropAttempt({ info, parts }: WithParts<AssistantMessage>, error: MessageError, journal: Journal): Writing {
  const { id: messageID } = info;
  const removed = parts.map((part) => journal.event("part.removed", { messageID, partID: part.id }));
  return {
    operations: [{ type: "message.delete", messageID }],
    events: [journal.event("step.dropped", { messageID, error }), ...removed, journal.event("message.removed", { messageID })],
  };
}
