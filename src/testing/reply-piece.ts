import type { JSONValue, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ProviderMetadata } from "../message/json.ts";
import type { ReplyUsage } from "./reply-usage.ts";

/** A finish reason: the AI SDK's word alone, or with the provider's own word in `raw`. */
export type ReplyFinish = LanguageModelV4FinishReason["unified"] | LanguageModelV4FinishReason;

export interface ReplyTextOptions {
  /** Number of deltas the text is sent in. Default: by the model's `chunkSize`. */
  chunks?: number | undefined;
  /** Provider metadata of the text block; sent with its end. */
  metadata?: ProviderMetadata | undefined;
  /** Usage of the whole call. */
  usage?: ReplyUsage | undefined;
  /** Finish reason of the whole call. */
  finish?: ReplyFinish | undefined;
}

export interface ReplyReasoningOptions {
  /** Number of deltas the reasoning is sent in. Default: by the model's `chunkSize`. */
  chunks?: number | undefined;
  /** A signature in Anthropic's way: metadata `{ anthropic: { signature } }` on an empty delta after the text. */
  signature?: string | undefined;
  /** Provider metadata of the reasoning block; sent with its end. */
  metadata?: ProviderMetadata | undefined;
}

export interface ReplyToolCallOptions {
  /** Default: `call_1`, `call_2`, … counted over all calls of the model. */
  id?: string | undefined;
  /** Number of deltas the arguments are sent in. Default: by the model's `chunkSize`. */
  chunks?: number | undefined;
  /** Provider metadata; sent with the finished call. */
  metadata?: ProviderMetadata | undefined;
  /** The provider runs this tool itself. */
  providerExecuted?: boolean | undefined;
  /** The provider's own result, sent right after the call. Implies `providerExecuted`. */
  result?: NonNullable<JSONValue> | undefined;
}

export interface ReplyFileOptions {
  /** Made by the model as part of its reasoning. */
  reasoning?: boolean | undefined;
  metadata?: ProviderMetadata | undefined;
}

export interface ReplySourceOptions {
  /** Default: the URL. */
  id?: string | undefined;
  title?: string | undefined;
  metadata?: ProviderMetadata | undefined;
}

export interface ReplyErrorOptions {
  /**
   * - `"throw"`: the stream breaks with the error, as when a connection is reset;
   * - `"part"`: the error comes as a stream part, and the reply goes on after it.
   *
   * Default: `"throw"` after other pieces; an error that comes first makes the call itself fail.
   */
  inStream?: "throw" | "part" | undefined;
  /** Happens after this many deltas of the reply. What the pieces before it would still send is not sent. */
  afterChunks?: number | undefined;
}

export interface ReplyStallOptions {
  /** The model takes no notice of the request's abort signal, before the stall and in it. */
  ignoreAbort?: boolean | undefined;
  /** The call itself hangs: it resolves to no stream at all. */
  beforeStream?: boolean | undefined;
  /** Happens after this many deltas of the reply. What the pieces before it would still send is not sent. */
  afterChunks?: number | undefined;
}

export interface ReplyCutOptions {
  /** Happens after this many deltas of the reply. What the pieces before it would still send is not sent. */
  afterChunks?: number | undefined;
}

export interface ReplyChunksOptions {
  /** Send these parts and nothing else: no `stream-start` and no `finish` is added, also when they are missing. */
  exact?: boolean | undefined;
}

/** One piece of a scripted reply: plain data, made by the functions of `reply`. */
export type ReplyPiece =
  | ({ type: "text"; text: string } & ReplyTextOptions)
  | ({ type: "reasoning"; text: string } & ReplyReasoningOptions)
  | ({ type: "tool-call"; name: string; input: string } & ReplyToolCallOptions)
  | ({ type: "chunks"; parts: readonly LanguageModelV4StreamPart[] } & ReplyChunksOptions)
  | { type: "finish"; finish?: ReplyFinish | undefined; usage?: ReplyUsage | undefined }
  | ({ type: "error"; error: unknown } & ReplyErrorOptions)
  | ({ type: "stall" } & ReplyStallOptions)
  | ({ type: "cut" } & ReplyCutOptions);

/** What the model answers to one call. */
export type Reply = ReplyPiece | readonly ReplyPiece[];
