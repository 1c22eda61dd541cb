import { InvalidArgumentError } from "../errors.ts";
import { anyText, checkOptions, flag, oneOf, plainObject, positiveInteger, text, type OptionCheck } from "../util/check-options.ts";
import type {
  ReplyChunksOptions,
  ReplyCutOptions,
  ReplyErrorOptions,
  ReplyFileOptions,
  ReplyReasoningOptions,
  ReplySourceOptions,
  ReplyStallOptions,
  ReplyTextOptions,
  ReplyToolCallOptions,
} from "./reply-piece.ts";

/* What the builders of `reply` are given: a script that says something else than its author meant makes a test pass for nothing. */

export const finishReason: OptionCheck = (value, argument) => {
  if (typeof value !== "object") oneOf("stop", "length", "content-filter", "tool-calls", "error", "other")(value, argument);
};

const anything: OptionCheck = () => undefined;

const afterChunks: OptionCheck = (value, argument) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new InvalidArgumentError(argument, `expected a whole number of deltas, 0 or more, got ${typeof value}.`);
};

/** By builder. */
export const checkReplyOptions = {
  text: (options: ReplyTextOptions) => { checkOptions("reply.text.options", options, { chunks: positiveInteger, metadata: plainObject, usage: plainObject, finish: finishReason }); },
  reasoning: (options: ReplyReasoningOptions) => { checkOptions("reply.reasoning.options", options, { chunks: positiveInteger, signature: anyText, metadata: plainObject }); },
  toolCall: (options: ReplyToolCallOptions) => { checkOptions("reply.toolCall.options", options, { id: anyText, chunks: positiveInteger, metadata: plainObject, providerExecuted: flag, result: anything }); },
  file: (options: ReplyFileOptions) => { checkOptions("reply.file.options", options, { reasoning: flag, metadata: plainObject }); },
  source: (options: ReplySourceOptions) => { checkOptions("reply.source.options", options, { id: text, title: anyText, metadata: plainObject }); },
  error: (options: ReplyErrorOptions) => { checkOptions("reply.error.options", options, { inStream: oneOf("throw", "part"), afterChunks }); },
  stall: (options: ReplyStallOptions) => { checkOptions("reply.stall.options", options, { ignoreAbort: flag, beforeStream: flag, afterChunks }); },
  cut: (options: ReplyCutOptions) => { checkOptions("reply.cut.options", options, { afterChunks }); },
  chunks: (options: ReplyChunksOptions) => { checkOptions("reply.chunks.options", options, { exact: flag }); },
};
