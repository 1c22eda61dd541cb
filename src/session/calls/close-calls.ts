import { isSettled, type ToolStateError } from "../../message/tool-state.ts";
import { cutByOutputLimitText, notRunText, toolInterruptedText, toolNotStartedText, toolWithheldText } from "../../tools/error-texts.ts";
import { finishedEvent } from "./call-events.ts";
import { parseObject, ranForMs, type CallFold, type StreamedCall } from "../step/call-fold.ts";
import type { StepContext } from "../step/step-context.ts";
import type { StepParts } from "../step/step-parts.ts";

/** The calls of one step, and where their rows are kept. */
export interface StepCalls {
  fold: CallFold;
  parts: StepParts;
}

/** Why calls are closed without having run. */
export type Closing = "aborted" | "failed" | "length" | "unfinished" | "withheld";

/** Closes every call that has no result yet. None of them runs any more. */
export function closeCalls(calls: StepCalls, why: Closing, context: Pick<StepContext, "clock" | "journal">): void {
  for (const call of calls.fold.all) {
    if (isSettled(call.part.state)) continue;
    // What was started went on at the provider, and nobody knows how far.
    const error = call.startedMs === undefined ? reasonText(call.part.tool, why) : toolInterruptedText(call.part.tool);
    closeCall(call, error, calls, context);
  }
}

function reasonText(tool: string, why: Closing): string {
  switch (why) {
    case "aborted":
      return toolNotStartedText(tool);
    case "length":
      return cutByOutputLimitText(tool);
    case "withheld":
      return toolWithheldText(tool);
    case "failed":
      return notRunText(tool, "the model call failed");
    case "unfinished":
      return notRunText(tool, "it was cut short");
  }
}

/** Why a call does not run: what its model reads, and whether a person's no ends the turn. */
export interface Refusal {
  error: string;
  rejected?: boolean | undefined;
}

/** Gives a call an error result. It never ran, or nobody waits for it any more. */
export function closeCall(call: StreamedCall, why: string | Refusal, calls: StepCalls, context: Pick<StepContext, "clock" | "journal">): void {
  const { error, rejected }: Refusal = typeof why === "string" ? { error: why } : why;
  const now = context.clock.now();
  const { state } = call.part;
  const read = parseObject(call.raw);
  const input = state.status === "running" ? state.input : (read ?? {});
  const closed: ToolStateError = {
    status: "error",
    input,
    error: call.interrupted === true ? toolInterruptedText(call.part.tool) : error,
    ...(call.startedMs === undefined && call.interrupted !== true && { neverRan: true }),
    ...(rejected === true && { rejected }),
    ...(call.raw !== "" && read === undefined && { raw: call.raw }),
    time: { start: state.status === "running" ? state.time.start : now, end: now },
  };
  const part = calls.fold.move(call, closed);
  calls.parts.replace(part, "soon", [finishedEvent(part, ranForMs(call, context.clock), context)]);
}
