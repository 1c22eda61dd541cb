import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionView } from "./session-view.ts";

export function putPart(session: SessionView, { part }: OperationOf<"part.put">): void {
  if (session.messages.get(part.messageID) === undefined) {
    throw new ConflictError(`Part "${part.id}" belongs to message "${part.messageID}", which does not exist.`, undefined);
  }
  session.parts(part.messageID).put(part.id, deepFreeze(part));
}

export function deletePart(session: SessionView, { messageID, partID }: OperationOf<"part.delete">): void {
  if (session.messages.get(messageID) !== undefined) session.parts(messageID).delete(partID);
}

export function appendToPart(session: SessionView, operation: OperationOf<"part.append">): void {
  const { messageID, partID, offset, text } = operation;
  const parts = session.messages.get(messageID) === undefined ? undefined : session.parts(messageID);
  if (parts?.append(partID, offset, text) !== true) {
    throw new ConflictError(`Part "${partID}" of message "${messageID}" has no text that could go on at ${offset}.`, parts?.get(partID));
  }
}
