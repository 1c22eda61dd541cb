import type { Closing } from "../calls/close-calls.ts";
import type { Step } from "./step.ts";
import type { StepEnding } from "./step-ending.ts";

/** Why the calls of a step do not run. */
export function whyClosed({ fold, input, signal }: Step, ending: StepEnding): Closing {
  if (signal.aborted) return "aborted";
  if (ending.error !== undefined) return "failed";
  if (input.toolChoice?.type === "none") return "withheld";
  return fold.finish?.finishReason.unified === "length" ? "length" : "unfinished";
}
