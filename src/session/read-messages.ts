import type { WithParts } from "../message/message.ts";
import type { Storage } from "../storage/storage.ts";

/** Which part of the transcript. */
export interface MessagePage {
  /** A message's id: only what stands before it. */
  before?: string | undefined;
  /** Most messages, the newest of them. Default: all. */
  limit?: number | undefined;
}

const pageSize = 200;

/** Reads messages of a session's transcript. Oldest first. */
export async function readMessages(storage: Storage, sessionID: string, page: MessagePage): Promise<WithParts[]> {
  const limit = page.limit ?? Number.POSITIVE_INFINITY;
  const newestFirst: WithParts[] = [];
  let before = page.before;
  do {
    const found = await storage.listMessages(sessionID, { before, limit: Math.min(limit - newestFirst.length, pageSize) });
    newestFirst.push(...found.items);
    before = found.cursor;
  } while (before !== undefined && newestFirst.length < limit);
  return newestFirst.reverse();
}
