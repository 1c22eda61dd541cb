import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionView } from "./session-view.ts";

export function admitPrompt(session: SessionView, { message, parts }: OperationOf<"prompt.admit">): void {
  const existing = session.messages.get(message.id);
  if (existing !== undefined) {
    throw new ConflictError(`A message "${message.id}" is in session "${session.id}" already.`, session.withParts(existing));
  }
  session.messages.put(message.id, deepFreeze(message));
  const table = session.parts(message.id);
  for (const part of parts) table.put(part.id, deepFreeze(part));
}

export function cancelPrompt(session: SessionView, { messageID, time }: OperationOf<"prompt.cancel">): void {
  const message = session.messages.get(messageID);
  if (message?.role !== "user" || message.state !== "queued") {
    throw new ConflictError(`Message "${messageID}" is not queued, so it cannot be cancelled.`, message);
  }
  session.messages.put(messageID, deepFreeze({ ...message, state: "cancelled", outcome: { type: "cancelled", time } }));
}
