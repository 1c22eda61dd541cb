import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { spliceText } from "./splice-text.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionRecord } from "./session-record.ts";

export function putPart(record: SessionRecord, { part }: OperationOf<"part.put">): void {
  if (record.messages.get(part.messageID) === undefined) {
    throw new ConflictError(`Part "${part.id}" belongs to message "${part.messageID}", which does not exist.`, undefined);
  }
  record.parts(part.messageID).put(part.id, deepFreeze(part));
}

export function deletePart(record: SessionRecord, { messageID, partID }: OperationOf<"part.delete">): void {
  if (record.messages.get(messageID) !== undefined) record.parts(messageID).delete(partID);
}

export function appendToPart(record: SessionRecord, operation: OperationOf<"part.append">): void {
  const { messageID, partID, offset, text } = operation;
  const parts = record.messages.get(messageID) === undefined ? undefined : record.parts(messageID);
  const part = parts?.get(partID);
  if (parts === undefined || part === undefined || !("text" in part) || offset > part.text.length) {
    throw new ConflictError(`Part "${partID}" of message "${messageID}" has no text that could go on at ${offset}.`, part);
  }
  // What the old row contains is frozen already.
  parts.put(partID, Object.freeze({ ...part, text: spliceText(part.text, offset, text) }));
}
