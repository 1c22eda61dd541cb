import type { AssistantContent, ModelToolCall } from "./model-prompt.ts";

/**
 * Puts the parts of one assistant message in an order that the wire takes: the calls that want a result come last. A
 * model may go on talking after a call, but the result must follow the call directly.
 */
export interface AssistantContentOrder {
  /** Adds a part before the calls that are open. */
  add(part: AssistantContent): void;
  /** Adds a part that is bound to its place by a signature: the calls before it stay before it, if others follow. */
  addBound(part: AssistantContent): void;
  /** Adds a call that wants a result. */
  addCall(call: ModelToolCall): void;
  finish(): AssistantContent[];
}

/** @param callsLast false where everything keeps the place that the model gave it */
export function orderAssistantContent(callsLast: boolean): AssistantContentOrder {
  const content: AssistantContent[] = [];
  let calls: ModelToolCall[] = [];
  /** Where the open calls go once another call follows a bound part. */
  let boundary: number | undefined;

  return {
    add(part) {
      content.push(part);
    },
    addBound(part) {
      if (calls.length > 0) boundary ??= content.length;
      content.push(part);
    },
    addCall(call) {
      if (!callsLast) {
        content.push(call);
        return;
      }
      if (boundary !== undefined) {
        content.splice(boundary, 0, ...calls);
        calls = [];
        boundary = undefined;
      }
      calls.push(call);
    },
    finish() {
      // Reasoning must lead to something: providers refuse a message, or a stored item, that ends with it.
      while (calls.length === 0 && isReasoning(content.at(-1))) content.pop();
      return [...content, ...calls];
    },
  };
}

function isReasoning(part: AssistantContent | undefined): boolean {
  return part?.type === "reasoning" || part?.type === "reasoning-file";
}
