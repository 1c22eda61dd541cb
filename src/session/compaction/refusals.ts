import { inputWindow, type ContextLimits } from "../../compaction/context-budget.ts";
import type { ContextMeasure } from "../../compaction/measure-context.ts";
import type { MessageError } from "../../message/message-error.ts";
import { messageError } from "../step/step-ending.ts";

export const nothingToSummarize = messageError("overflow", "There is nothing that a summary could stand for: what is left is not answered yet.");

/** Why a step is not made, though all was tried. */
export function tooLarge({ tokens }: ContextMeasure, limits: ContextLimits, { message }: MessageError): MessageError {
  return messageError("overflow", `The request has about ${tokens} tokens, and the model takes ${inputWindow(limits)} (contextLimits). ${message} Shorten the prompt, or use a model with a larger window.`);
}
