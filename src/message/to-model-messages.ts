import type { WithParts } from "./message.ts";
import type { ModelMessage } from "./model-prompt.ts";
import type { ProjectionOptions, ProjectionTarget } from "./projection-context.ts";
import { createProjection } from "./projection.ts";

/**
 * Turns a history into the messages of a request, by the wire rules of the model that will be called. It is total, pure
 * and deterministic: any history, even a damaged one, becomes a request that the provider accepts; the history is not
 * changed; the same history gives the same messages. System text is not part of them.
 *
 * Provider metadata (signatures, item ids) returns only to the model that made it, from a call that completed.
 *
 * @param history oldest message first
 * @param profileOrModel the model that will be called, or its wire rules; with bare rules name the model in
 * `options.model`, otherwise no provider metadata is returned
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
  for (const message of history) projection.add(message);
  return projection.request();
}
