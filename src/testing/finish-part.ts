import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelRequest } from "./model-request.ts";
import type { ReplyFinish, ReplyPiece } from "./reply-piece.ts";
import { estimateUsage, toModelUsage, type ReplyUsage } from "./reply-usage.ts";

export interface FinishContext {
  request: ModelRequest;
  /** Usage of replies that state none. Default: estimated. */
  usage: ReplyUsage | undefined;
}

/** The `finish` of a reply: what its pieces state last, else what follows from the parts. */
export function finishPart(
  parts: readonly LanguageModelV4StreamPart[],
  pieces: readonly ReplyPiece[],
  context: FinishContext,
): LanguageModelV4StreamPart {
  const stating = pieces.filter((piece) => piece.type === "finish" || piece.type === "text");
  const finish = stating.findLast((piece) => piece.finish !== undefined)?.finish ?? defaultFinish(parts);
  const usage = stating.findLast((piece) => piece.usage !== undefined)?.usage ?? context.usage;
  return {
    type: "finish",
    finishReason: toFinishReason(finish),
    usage: usage === undefined ? estimateUsage(context.request, generatedCharacters(parts)) : toModelUsage(usage),
  };
}

function defaultFinish(parts: readonly LanguageModelV4StreamPart[]): ReplyFinish {
  if (parts.some((part) => part.type === "error")) return "error";
  return parts.some((part) => part.type === "tool-call" && part.providerExecuted !== true) ? "tool-calls" : "stop";
}

function toFinishReason(finish: ReplyFinish): LanguageModelV4FinishReason {
  return typeof finish === "string" ? { unified: finish, raw: finish } : finish;
}

function generatedCharacters(parts: readonly LanguageModelV4StreamPart[]): { text: number; reasoning: number } {
  let text = 0;
  let reasoning = 0;
  for (const part of parts) {
    if (part.type === "text-delta") text += part.delta.length;
    else if (part.type === "reasoning-delta") reasoning += part.delta.length;
    else if (part.type === "tool-call") text += part.input.length;
  }
  return { text, reasoning };
}
