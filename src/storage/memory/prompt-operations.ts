import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionRecord } from "./session-record.ts";

export function admitPrompt(record: SessionRecord, { message, parts }: OperationOf<"prompt.admit">): void {
  const existing = record.messages.get(message.id);
  if (existing !== undefined) {
    throw new ConflictError(`A message "${message.id}" is in session "${record.id}" already.`, record.withParts(existing));
  }
  record.messages.put(message.id, deepFreeze(message));
  const table = record.parts(message.id);
  for (const part of parts) table.put(part.id, deepFreeze(part));
}

export function cancelPrompt(record: SessionRecord, { messageID, time }: OperationOf<"prompt.cancel">): void {
  const message = record.messages.get(messageID);
  if (message?.role !== "user" || message.state !== "queued") {
    throw new ConflictError(`Message "${messageID}" is not queued, so it cannot be cancelled.`, message);
  }
  record.messages.put(messageID, deepFreeze({ ...message, state: "cancelled", outcome: { type: "cancelled", time } }));
}
