import { InvalidArgumentError } from "../../errors.ts";
import type { WithParts } from "../../message/message.ts";
import { pageLimit } from "../page-limit.ts";
import type { Page } from "../storage.ts";
import type { SessionRecord } from "./session-record.ts";

/** A page of a session's transcript, newest first. */
export function messagePage(record: SessionRecord, query: { before?: string | undefined; limit?: number | undefined }): Page<WithParts> {
  const limit = pageLimit(query.limit, 50, "listMessages.limit");
  const end = query.before === undefined ? record.transcript.length : indexOf(record, query.before);
  const start = Math.max(0, end - limit);
  const items = record.transcript.newestFirst(start, end).flatMap((messageID) => {
    const message = record.messages.get(messageID);
    return message === undefined ? [] : [record.withParts(message)];
  });
  const last = items.at(-1);
  return start > 0 && last !== undefined ? { items, cursor: last.info.id } : { items };
}

function indexOf(record: SessionRecord, messageID: string): number {
  const position = record.transcript.positionOf(messageID);
  if (position === undefined)
    throw new InvalidArgumentError("before", `message "${messageID}" was never promoted in session "${record.id}".`);
  return record.transcript.indexOf(position);
}
