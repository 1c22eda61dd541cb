import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import type { MessageError, MessageErrorCode } from "../../message/message-error.ts";
import { describeError } from "../../model/describe-error.ts";
import type { ProcessResult } from "./process-input.ts";
import type { StepFold } from "./step-fold.ts";

/** How a model call ended. `error` is set when the step failed. */
export interface StepEnding {
  error: MessageError | undefined;
  /** Whether the calls of the step may run: only a cleanly finished step's may. */
  runsCalls: boolean;
}

/** Finish reasons that are failures of the call, whatever came before them. */
const failures: Partial<Record<string, { code: MessageErrorCode; message: string }>> = {
  error: { code: "unknown", message: "The provider ended the answer with an error and gave no reason." },
  interrupted: { code: "truncated-stream", message: "The model's answer broke off before its end." },
  "content-filter": { code: "content-filter", message: "The provider's content filter ended the answer." },
};

/** Judges how a model call ended, from its stream and from what was thrown. */
export function judgeEnding(fold: StepFold, thrown: { cause: unknown } | undefined, signal: AbortSignal): StepEnding {
  if (signal.aborted) return failed(abortError(signal.reason));
  const failure = thrown ?? fold.error;
  if (failure !== undefined) return failed(describeError(failure.cause));
  const finish: LanguageModelV4FinishReason["unified"] | undefined = fold.finish?.finishReason.unified;
  if (finish === undefined) return failed(messageError("truncated-stream", "The model's stream ended without a finish."));
  const bad = failures[finish];
  if (bad !== undefined) return failed(messageError(bad.code, bad.message));
  return { error: undefined, runsCalls: finish === "stop" || finish === "tool-calls" };
}

/** A failure that has no thrown error behind it. */
export function messageError(code: MessageErrorCode, message: string): MessageError {
  return { name: "Error", message, code, retryable: code === "truncated-stream" || code === "empty" };
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
