import { InvalidArgumentError } from "../errors.ts";
import { list } from "../util/check-options.ts";
import type { WithParts } from "./message.ts";
import type { ModelMessage } from "./model-prompt.ts";
import type { ProjectionOptions, ProjectionTarget } from "./projection-context.ts";
import { createProjection } from "./projection.ts";

/**
 * Turns a history into the messages of a request, by the wire rules of the model that will be called. It is total, pure
 * and deterministic: any history, even a damaged one, becomes a request that the provider accepts; the history is not
 * changed; the same history gives the same messages. System text is not part of them. A history in which there is nothing
 * to send gives no messages.
 *
 * Provider metadata (signatures, item ids) returns only to the model that made it, from a call that completed.
 *
 * @param history oldest message first
 * @param profileOrModel the model that will be called, or its wire rules; with bare rules name the model in
 * `options.model`, otherwise no provider metadata is returned
 * @throws {InvalidArgumentError} the history is no list of stored messages, or the target is neither a model nor a profile
 * @example
 * const { items } = await storage.listMessages(sessionID)
 * await generateText({ model, instructions, messages: toModelMessages(items.reverse(), model) })
 */
export function toModelMessages(
  history: readonly WithParts[],
  profileOrModel: ProjectionTarget,
  options?: ProjectionOptions,
): ModelMessage[] {
  const projection = createProjection(profileOrModel, options);
  checkHistory(history);
  for (const message of history) projection.add(message);
  return projection.request();
}

/** Damage inside of a message is put up with; what is no stored message at all would be lost in silence. */
function checkHistory(history: unknown): void {
  list(history, "history");
  // list has checked that it is one; what its items are is looked at.
  const wrong = (history as (Partial<WithParts> | null | undefined)[]).findIndex((message) => !message?.info || !Array.isArray(message.parts));
  if (wrong !== -1) throw new InvalidArgumentError(`history[${wrong}]`, "expected a stored message, { info, parts }, as session.messages() gives them.");
}
