import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { finishPart, type FinishContext } from "./finish-part.ts";
import { renderPiece, type PieceContext } from "./render-piece.ts";
import type { Reply, ReplyPiece } from "./reply-piece.ts";

/** What follows the last part of a reply; with `refuse` and `hang` there is no stream. */
export type ReplyEnding =
  | { type: "close" }
  | { type: "stall" }
  | { type: "throw"; error: unknown }
  | { type: "refuse"; error: unknown }
  | { type: "hang" };

/** A reply ready to be streamed. */
export interface RenderedReply {
  parts: LanguageModelV4StreamPart[];
  ending: ReplyEnding;
  ignoreAbort: boolean;
}

export type RenderContext = PieceContext & FinishContext;

/** Turns a reply into the stream parts of one model call. */
export function renderReply(reply: Reply, context: RenderContext): RenderedReply {
  const pieces = isList(reply) ? reply : [reply];
  const ignoreAbort = pieces.some((piece) => piece.type === "stall" && piece.ignoreAbort === true);
  const exact = pieces.some((piece) => piece.type === "chunks" && piece.exact === true);
  let parts: LanguageModelV4StreamPart[] = [];
  for (const [index, piece] of pieces.entries()) {
    if ("afterChunks" in piece) parts = firstDeltas(parts, piece.afterChunks);
    const ending = endingOf(piece, index === 0);
    if (ending !== undefined) {
      const silent = exact || (ending.type === "stall" && parts.length === 0);
      return { parts: silent ? parts : withStart(parts), ending, ignoreAbort };
    }
    parts = parts.concat(renderPiece(piece, context, index));
  }
  return { parts: exact ? parts : withFinish(withStart(parts), pieces, context), ending: { type: "close" }, ignoreAbort };
}

/** How the piece breaks the reply off, if it does. */
function endingOf(piece: ReplyPiece, first: boolean): ReplyEnding | undefined {
  if (piece.type === "cut") return { type: "close" };
  if (piece.type === "stall") return { type: piece.beforeStream === true ? "hang" : "stall" };
  if (piece.type !== "error" || piece.inStream === "part") return undefined;
  const refuses = first && piece.inStream === undefined;
  return { type: refuses ? "refuse" : "throw", error: piece.error };
}

/** The parts up to the delta with that number; all of them when there are fewer. */
function firstDeltas(parts: LanguageModelV4StreamPart[], count: number | undefined): LanguageModelV4StreamPart[] {
  if (count === undefined) return parts;
  let deltas = 0;
  const end = parts.findIndex((part) => isDelta(part) && ++deltas > count);
  return end === -1 ? parts : parts.slice(0, end);
}

function isDelta(part: LanguageModelV4StreamPart): boolean {
  return part.type === "text-delta" || part.type === "reasoning-delta" || part.type === "tool-input-delta";
}

function withStart(parts: LanguageModelV4StreamPart[]): LanguageModelV4StreamPart[] {
  if (parts.some((part) => part.type === "stream-start")) return parts;
  return [{ type: "stream-start", warnings: [] }, ...parts];
}

function withFinish(parts: LanguageModelV4StreamPart[], pieces: readonly ReplyPiece[], context: RenderContext): LanguageModelV4StreamPart[] {
  if (parts.some((part) => part.type === "finish")) return parts;
  return [...parts, finishPart(parts, pieces, context)];
}

function isList(reply: Reply): reply is readonly ReplyPiece[] {
  return Array.isArray(reply);
}
