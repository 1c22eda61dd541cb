import type { MessageError, MessageErrorCode } from "../../message/message-error.ts";
import { isRetryable } from "../../model/classify-error.ts";
import { describeError } from "../../model/describe-error.ts";
import { finishFailure } from "../../model/finish-failure.ts";
import type { ProcessResult } from "./process-input.ts";
import type { StepFold } from "./step-fold.ts";

/** How a model call ended. `error` is set when the step failed. */
export interface StepEnding {
  error: MessageError | undefined;
  /** Whether the calls of the step may run: only a cleanly finished step's may. */
  runsCalls: boolean;
}

/**
 * Judges how a model call ended, from its stream and from what was thrown.
 *
 * @param now for a delay that the provider asks for by a date
 */
export function judgeEnding(fold: StepFold, thrown: { cause: unknown } | undefined, signal: AbortSignal, now: number): StepEnding {
  if (signal.aborted) return failed(abortError(signal.reason));
  const failure = thrown ?? fold.error;
  if (failure !== undefined) return failed(describeError(failure.cause, now));
  if (fold.finish === undefined) return failed(messageError("truncated-stream", "The model's stream ended without a finish."));
  const { finishReason } = fold.finish;
  const bad = finishFailure(finishReason);
  if (bad !== undefined) return failed(messageError(bad.code, bad.message));
  return { error: undefined, runsCalls: finishReason.unified === "stop" || finishReason.unified === "tool-calls" };
}

/** A failure that has no thrown error behind it. */
export function messageError(code: MessageErrorCode, message: string): MessageError {
  return { name: "Error", message, code, retryable: isRetryable(code) };
}

/** The turn was ended by its signal: by a person, or because the session cannot go on. */
export function abortError(reason: unknown): MessageError {
  const described = describeError(reason);
  const isFailure = described.code === "storage" || described.name === "LeaseLostError";
  return isFailure ? described : { name: "AbortError", message: "The turn was aborted.", code: "aborted", retryable: false };
}

function failed(error: MessageError): StepEnding {
  return { error, runsCalls: false };
}

/** What follows from how a step ended. */
export function resultOf(error: MessageError | undefined): ProcessResult {
  if (error === undefined) return "continue";
  return error.code === "overflow" ? "compact" : "stop";
}
