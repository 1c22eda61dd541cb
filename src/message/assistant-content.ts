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

export function orderAssistantContent(callsLast: boolean): AssistantContentOrder {
  return { content: [], calls: [], boundary: undefined, callsLast };
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

export function finishContent({ content, calls }: AssistantContentOrder): AssistantContent[] {
  if (calls.length > 0) content.push(...calls);
  // Reasoning must lead to something: providers refuse a message, or a stored item, that ends with it.
  else while (isReasoning(content.at(-1))) content.pop();
  return content;
}

function isReasoning(part: AssistantContent | undefined): boolean {
  return part?.type === "reasoning" || part?.type === "reasoning-file";
}
