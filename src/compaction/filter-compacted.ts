import type { WithParts } from "../message/message.ts";
import { WindowReader } from "./window-reader.ts";

/**
 * The visible window of a transcript: what a model is shown after compactions. Nothing is destroyed by a compaction, so
 * the window is derived each time, and is right by itself after a revert or a fork.
 *
 * It begins with the newest compaction whose summary is complete, and is `[compaction message, summary, ...kept prompts,
 * ...tail, ...everything newer]`. Reading stops as soon as all of that has been seen. A compaction without a complete
 * summary does not count, and neither it nor an older compaction is in the window. If the tail's first message is
 * missing, everything older counts as the tail: too much can be compacted again, what is lost cannot be brought back.
 *
 * @param newestFirst the transcript by position, newest message first, e.g. page by page from the storage
 * @returns the window, oldest message first
 * @throws {InvalidArgumentError} it yields something that is no stored message
 * @example
 * const { items } = await storage.listMessages(sessionID)
 * const messages = toModelMessages(await filterCompacted(items), model)
 */
export async function filterCompacted(newestFirst: Iterable<WithParts> | AsyncIterable<WithParts>): Promise<WithParts[]> {
  const reader = new WindowReader();
  for await (const entry of newestFirst) if (reader.add(entry)) break;
  return reader.window();
}
