import type { LanguageModelV4File, LanguageModelV4Source, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { anyText, list, plainObject, text } from "../util/check-options.ts";
import { checkReplyOptions, finishReason } from "./check-reply.ts";
import type {
  ReplyChunksOptions,
  ReplyCutOptions,
  ReplyErrorOptions,
  ReplyFileOptions,
  ReplyReasoningOptions,
  ReplyFinish,
  ReplyPiece,
  ReplySourceOptions,
  ReplyStallOptions,
  ReplyTextOptions,
  ReplyToolCallOptions,
} from "./reply-piece.ts";
import type { ReplyUsage } from "./reply-usage.ts";

/**
 * Builders for what a scripted model says. A reply is one piece or an array of pieces, sent in that order.
 *
 * The finish is added by itself: reason `tool-calls` when a tool call is for the client, `error` after an error part,
 * else `stop`; usage from the lengths of the texts. State others with `reply.finish` and `reply.usage`.
 *
 * All throw `InvalidArgumentError` for an argument or option of the wrong type.
 *
 * @example
 * scriptedModel([
 *   [reply.text("Let me look."), reply.toolCall("read_file", { path: "README.md" })],
 *   reply.text("It is a library."),
 * ])
 */
export const reply = Object.freeze({
  /** A text block. */
  text(text: string, options: ReplyTextOptions = {}): ReplyPiece {
    anyText(text, "reply.text.text");
    checkReplyOptions.text(options);
    return { type: "text", text, ...options };
  },

  /** A reasoning block. */
  reasoning(text: string, options: ReplyReasoningOptions = {}): ReplyPiece {
    anyText(text, "reply.reasoning.text");
    checkReplyOptions.reasoning(options);
    return { type: "reasoning", text, ...options };
  },

  /**
   * A tool call, its arguments streamed first. An `input` that is a string is sent as it is, so that it can be broken
   * JSON; anything else is sent as JSON.
   */
  toolCall(name: string, input: unknown = {}, options: ReplyToolCallOptions = {}): ReplyPiece {
    // An empty name is a thing that models send.
    anyText(name, "reply.toolCall.name");
    checkReplyOptions.toolCall(options);
    return { type: "tool-call", name, input: typeof input === "string" ? input : JSON.stringify(input), ...options };
  },

  /** A file that the model made. `data` is base64 text or bytes. */
  file(mediaType: string, data: string | Uint8Array, options: ReplyFileOptions = {}): ReplyPiece {
    text(mediaType, "reply.file.mediaType");
    if (!(data instanceof Uint8Array)) anyText(data, "reply.file.data");
    checkReplyOptions.file(options);
    const file = { mediaType, data: { type: "data" as const, data }, ...providerMetadata(options.metadata) };
    return piece(options.reasoning === true ? { type: "reasoning-file", ...file } : ({ type: "file", ...file } satisfies LanguageModelV4File));
  },

  /** A web source that the model cites. */
  source(url: string, options: ReplySourceOptions = {}): ReplyPiece {
    text(url, "reply.source.url");
    checkReplyOptions.source(options);
    return piece({
      type: "source",
      sourceType: "url",
      id: options.id ?? url,
      url,
      ...(options.title !== undefined && { title: options.title }),
      ...providerMetadata(options.metadata),
    } satisfies LanguageModelV4Source);
  },

  /** The finish reason of the call, wherever it stands in the reply, and its usage. */
  finish(reason: ReplyFinish, usage?: ReplyUsage): ReplyPiece {
    finishReason(reason, "reply.finish.reason");
    if (usage !== undefined) plainObject(usage, "reply.finish.usage");
    return { type: "finish", finish: reason, usage };
  },

  /** The usage of the call, wherever it stands in the reply. */
  usage(usage: ReplyUsage): ReplyPiece {
    plainObject(usage, "reply.usage.usage");
    return { type: "finish", usage };
  },

  /**
   * A failure. The first piece of a reply: the call is refused with it. After other pieces: the stream breaks there.
   * With `inStream: "part"`: an error part, after which the reply goes on.
   *
   * @example
   * reply.error(new Error("overloaded"))
   * @example
   * [reply.text("Once upon", { chunks: 2 }), reply.error(new Error("socket closed"), { afterChunks: 1 })]
   */
  error(error: unknown, options: ReplyErrorOptions = {}): ReplyPiece {
    checkReplyOptions.error(options);
    return { type: "error", error, ...options };
  },

  /**
   * Sends nothing more, and does not end: the model hangs. Alone it sends nothing at all. The abort signal of the
   * request ends it, unless `ignoreAbort` is set. Pieces after it are never sent.
   */
  stall(options: ReplyStallOptions = {}): ReplyPiece {
    checkReplyOptions.stall(options);
    return { type: "stall", ...options };
  },

  /** Ends the stream here without a finish, as when a connection closes too early. Pieces after it are never sent. */
  cut(options: ReplyCutOptions = {}): ReplyPiece {
    checkReplyOptions.cut(options);
    return { type: "cut", ...options };
  },

  /** Stream parts of the AI SDK as they are. Without `exact`, a missing `stream-start` and `finish` are added. */
  chunks(parts: readonly LanguageModelV4StreamPart[], options: ReplyChunksOptions = {}): ReplyPiece {
    list(parts, "reply.chunks.parts");
    checkReplyOptions.chunks(options);
    return { type: "chunks", parts, ...options };
  },
});

function piece(part: LanguageModelV4StreamPart): ReplyPiece {
  return { type: "chunks", parts: [part] };
}

function providerMetadata(metadata: ReplyFileOptions["metadata"]): { providerMetadata?: NonNullable<ReplyFileOptions["metadata"]> } {
  return metadata === undefined ? {} : { providerMetadata: metadata };
}
