import type { AssistantContent, ModelToolCall } from "./model-prompt.ts";

/**
 * The parts of one assistant message on their way into an order that the wire takes: the calls that want a result come
 * last. A model may go on talking after a call, but the result must follow the call directly.
 */
export interface AssistantContentOrder {
  /** What comes before the open calls. Parts that are bound to nothing are simply added. */
  content: AssistantContent[];
  /** The calls that are open. */
  calls: ModelToolCall[];
  /** Where the open calls go once another call follows a bound part. */
  boundary: number | undefined;
  /** False where everything keeps the place that the model gave it. */
  callsLast: boolean;
}

/** Adds a part that is bound to its place by a signature: the calls before it stay before it, if others follow. */
export function addBound(order: AssistantContentOrder, part: AssistantContent): void {
  if (order.calls.length > 0) order.boundary ??= order.content.length;
  order.content.push(part);
}

/** Adds a call that wants a result. */
export function addCall(order: AssistantContentOrder, call: ModelToolCall): void {
  if (!order.callsLast) {
    order.content.push(call);
    return;
  }
  if (order.boundary !== undefined) {
    order.content.splice(order.boundary, 0, ...order.calls);
    order.calls = [];
    order.boundary = undefined;
  }
  order.calls.push(call);
}

/** Puts the open calls where they belong, once nothing more is added. */
export function finishContent({ content, calls }: AssistantContentOrder): void {
  for (let index = 0; index < calls.length; index += 1) content.push(calls[index] as ModelToolCall);
  if (calls.length > 0) return;
  // Reasoning must lead to something: providers refuse a message, or a stored item, that ends with it.
  for (let type = content.at(-1)?.type; type === "reasoning" || type === "reasoning-file"; type = content.at(-1)?.type) content.pop();
}
