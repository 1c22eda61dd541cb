import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelRef } from "../../message/model-ref.ts";
import { firstDifference } from "../../util/first-difference.ts";

/** What of a request the provider's cache depends on. */
export interface RequestPrefix {
  agent: string;
  model: ModelRef;
  tools: LanguageModelV4CallOptions["tools"];
  /** The system text, section by section. */
  system: readonly string[];
  /** Without the marks of the cache, which move. */
  messages: LanguageModelV4Prompt;
  /** Changes with whatever may change messages that were sent before: compactions, cleared outputs, media that made room. */
  maintenance: string;
}

/**
 * Why a request does not begin as the one before it. `history` is none of the reasons that there should be: messages have
 * changed that had been sent.
 */
export type RequestChangeReason = "agent" | "model" | "tools" | "instructions" | "history";

/** Where a request first differs from the one before it. */
export interface RequestChange {
  reason: RequestChangeReason;
  /** The first part that differs, e.g. `tools[1].description` or `messages[4].content[0].text`. */
  path: string;
}

/** Compares two requests that follow each other. `undefined` when the second continues the first, or was made anew. */
export function requestChange(before: Partial<RequestPrefix>, after: RequestPrefix): RequestChange | undefined {
  return changeOf("agent", before.agent, after.agent) ?? changeOf("model", before.model, after.model) ?? bodyChange(before, after);
}

function bodyChange(before: Partial<RequestPrefix>, after: RequestPrefix): RequestChange | undefined {
  const { messages, system } = before;
  // Of a session that was just opened no more is known than what its rows tell.
  if (messages === undefined || system === undefined) return undefined;
  const change = changeOf("tools", before.tools ?? [], after.tools ?? []) ?? changeOf("instructions", system, after.system);
  if (change !== undefined || before.maintenance !== after.maintenance) return change;
  return historyChange(messages, after.messages);
}

function changeOf(reason: RequestChangeReason, before: unknown, after: unknown): RequestChange | undefined {
  const path = before === undefined ? undefined : firstDifference(before, after);
  return path === undefined ? undefined : { reason, path: reason + path };
}

function historyChange(before: LanguageModelV4Prompt, after: LanguageModelV4Prompt): RequestChange | undefined {
  const last = before.length - 1;
  for (const [index, message] of before.entries()) {
    const now = after[index];
    const path = index === last ? continuedDifference(message, now) : firstDifference(message, now);
    if (path !== undefined) return { reason: "history", path: `messages[${index}]${path}` };
  }
  return undefined;
}

/** The last message may have become longer: where roles must alternate the next prompt joins it. */
function continuedDifference(before: LanguageModelV4Message, after: LanguageModelV4Message | undefined): string | undefined {
  if (after === undefined || !Array.isArray(before.content) || !Array.isArray(after.content)) return firstDifference(before, after);
  return firstDifference(before, Object.assign({}, after, { content: after.content.slice(0, before.content.length) }));
}
