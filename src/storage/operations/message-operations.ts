import { ConflictError } from "../../errors.ts";
import type { UserMessage } from "../../message/message.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionView } from "./session-view.ts";

export function putMessage(session: SessionView, { message }: OperationOf<"message.put">): void {
  const existing = session.messages.get(message.id);
  if (existing !== undefined && existing.position !== message.position) {
    throw new ConflictError(
      `Message "${message.id}" cannot change its place: a prompt gets it by message.promote, and keeps it.`,
      existing,
    );
  }
  if (existing === undefined) checkPlaceIsFree(session, message.id, message.position);
  session.messages.put(message.id, deepFreeze(message));
}

export function deleteMessage(session: SessionView, { messageID }: OperationOf<"message.delete">): void {
  if (session.messages.get(messageID) === undefined) return;
  session.parts(messageID).deleteAll();
  session.messages.delete(messageID);
}

export function promoteMessage(session: SessionView, { messageID, position }: OperationOf<"message.promote">): void {
  const message = session.messages.get(messageID);
  if (message?.position === position) return;
  if (message?.role !== "user" || message.state !== "queued") {
    throw new ConflictError(`Message "${messageID}" is not queued, so it cannot be promoted.`, message);
  }
  checkPlaceIsFree(session, messageID, position);
  const promoted: UserMessage = { ...message, position };
  delete promoted.state;
  session.messages.put(messageID, Object.freeze(promoted));
}

function checkPlaceIsFree(session: SessionView, messageID: string, position: number | undefined): void {
  const holder = position === undefined ? undefined : session.messageAt(position);
  if (holder !== undefined && holder.id !== messageID) {
    throw new ConflictError(`Message "${messageID}" cannot stand at position ${position}: "${holder.id}" does.`, holder);
  }
}
