import { ConflictError } from "../../errors.ts";
import type { UserMessage } from "../../message/message.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionRecord } from "./session-record.ts";

export function putMessage(record: SessionRecord, { message }: OperationOf<"message.put">): void {
  const existing = record.messages.get(message.id);
  if (existing !== undefined && existing.position !== message.position) {
    throw new ConflictError(
      `Message "${message.id}" cannot change its place: a prompt gets it by message.promote, and keeps it.`,
      existing,
    );
  }
  if (existing === undefined) checkPlaceIsFree(record, message.id, message.position);
  record.messages.put(message.id, deepFreeze(message));
}

export function deleteMessage(record: SessionRecord, { messageID }: OperationOf<"message.delete">): void {
  if (record.messages.get(messageID) === undefined) return;
  record.messages.delete(messageID);
  record.parts(messageID).deleteAll();
}

export function promoteMessage(record: SessionRecord, { messageID, position }: OperationOf<"message.promote">): void {
  const message = record.messages.get(messageID);
  if (message?.position === position) return;
  if (message?.role !== "user" || message.state !== "queued") {
    throw new ConflictError(`Message "${messageID}" is not queued, so it cannot be promoted.`, message);
  }
  checkPlaceIsFree(record, messageID, position);
  const promoted: UserMessage = { ...message, position };
  delete promoted.state;
  record.messages.put(messageID, Object.freeze(promoted));
}

function checkPlaceIsFree(record: SessionRecord, messageID: string, position: number | undefined): void {
  const holder = position === undefined ? undefined : record.messageAt(position);
  if (holder !== undefined && holder.id !== messageID) {
    throw new ConflictError(`Message "${messageID}" cannot stand at position ${position}: "${holder.id}" does.`, holder);
  }
}
