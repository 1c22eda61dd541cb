import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from "@ai-sdk/provider";
import type { ProviderMetadata } from "../message/json.ts";
import type { ReplyPiece } from "./reply-piece.ts";
import { splitText } from "./split-text.ts";

export interface PieceContext {
  /** Most characters per delta, for pieces that do not state their number of deltas. */
  chunkSize: number;
  /** The next id for a tool call that has none of its own. */
  nextCallID: () => string;
}

/**
 * The stream parts of one piece. Pieces that only steer the call (`finish`, `stall`, `cut`) have none.
 *
 * @param index place of the piece in its reply; makes block ids unique
 */
export function renderPiece(piece: ReplyPiece, context: PieceContext, index: number): readonly LanguageModelV4StreamPart[] {
  switch (piece.type) {
    case "text":
      return renderText(piece, context, `text-${index}`);
    case "reasoning":
      return renderReasoning(piece, context, `reasoning-${index}`);
    case "tool-call":
      return renderToolCall(piece, context);
    case "chunks":
      return piece.parts;
    case "error":
      return [{ type: "error", error: piece.error }];
    case "finish":
    case "stall":
    case "cut":
      return [];
  }
}

type Piece<T extends ReplyPiece["type"]> = Extract<ReplyPiece, { type: T }>;

function renderText(piece: Piece<"text">, { chunkSize }: PieceContext, id: string): LanguageModelV4StreamPart[] {
  const deltas = splitText(piece.text, chunkSize, piece.chunks);
  return [
    { type: "text-start", id },
    ...deltas.map((delta) => ({ type: "text-delta" as const, id, delta })),
    { type: "text-end", id, ...withMetadata(piece.metadata) },
  ];
}

function renderReasoning(piece: Piece<"reasoning">, { chunkSize }: PieceContext, id: string): LanguageModelV4StreamPart[] {
  const deltas: LanguageModelV4StreamPart[] = splitText(piece.text, chunkSize, piece.chunks).map((delta) => ({ type: "reasoning-delta", id, delta }));
  if (piece.signature !== undefined) {
    deltas.push({ type: "reasoning-delta", id, delta: "", providerMetadata: { anthropic: { signature: piece.signature } } });
  }
  return [{ type: "reasoning-start", id }, ...deltas, { type: "reasoning-end", id, ...withMetadata(piece.metadata) }];
}

function renderToolCall(piece: Piece<"tool-call">, context: PieceContext): LanguageModelV4StreamPart[] {
  const id = piece.id ?? context.nextCallID();
  const toolName = piece.name;
  const executed = piece.providerExecuted === true || piece.result !== undefined ? { providerExecuted: true } : {};
  const call: LanguageModelV4ToolCall = {
    type: "tool-call",
    toolCallId: id,
    toolName,
    input: piece.input,
    ...executed,
    ...withMetadata(piece.metadata),
  };
  const parts: LanguageModelV4StreamPart[] = [
    { type: "tool-input-start", id, toolName, ...executed },
    ...splitText(piece.input, context.chunkSize, piece.chunks).map((delta) => ({ type: "tool-input-delta" as const, id, delta })),
    { type: "tool-input-end", id },
    call,
  ];
  if (piece.result !== undefined) parts.push({ type: "tool-result", toolCallId: id, toolName, result: piece.result });
  return parts;
}

function withMetadata(metadata: ProviderMetadata | undefined): { providerMetadata?: ProviderMetadata } {
  return metadata === undefined ? {} : { providerMetadata: metadata };
}
