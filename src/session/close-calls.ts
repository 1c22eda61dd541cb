import type { ToolPart } from "../message/part.ts";
import { isSettled, type ToolStateError } from "../message/tool-state.ts";
import { cutByOutputLimitText, notRunText, toolInterruptedText, toolNotStartedText, toolWithheldText } from "../tools/error-texts.ts";
import { objectOf, type CallFold, type StreamedCall } from "./call-fold.ts";
import type { SessionEvent } from "./events.ts";
import type { StepContext } from "./step-context.ts";
import type { StepParts } from "./step-parts.ts";

/** The calls of one step, and where their rows are kept. */
export interface StepCalls {
  fold: CallFold;
  parts: StepParts;
}

/** Why calls are closed without having run. */
export type Closing = "aborted" | "failed" | "length" | "unfinished" | "withheld";

/** Closes every call that has no result yet, without running it. */
export function closeCalls(calls: StepCalls, why: Closing, context: Pick<StepContext, "clock" | "journal">): void {
  for (const call of calls.fold.all) {
    if (!isSettled(call.part.state)) closeCall(call, reasonText(call.part.tool, why), calls, context);
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

/** Gives a call an error result. It never ran, or nobody waits for it any more. */
export function closeCall(call: StreamedCall, error: string, calls: StepCalls, context: Pick<StepContext, "clock" | "journal">): void {
  const now = context.clock.now();
  const { state } = call.part;
  const input = state.status === "running" ? state.input : objectOf(call.raw);
  const closed: ToolStateError = {
    status: "error",
    input,
    error: call.interrupted === true ? toolInterruptedText(call.part.tool) : error,
    ...(state.status !== "running" && { neverRan: true }),
    ...(call.raw !== "" && Object.keys(input).length === 0 && { raw: call.raw }),
    time: { start: state.status === "running" ? state.time.start : now, end: now },
  };
  const part = calls.fold.move(call, closed);
  calls.parts.replace(part, "soon", [finishedEvent(call.part, context, 0)]);
}

/** The event of a call that has its result. */
export function finishedEvent(part: ToolPart, context: Pick<StepContext, "journal">, durationMs: number): SessionEvent {
  const { messageID, id: partID, callID, tool, state } = part;
  const title = state.status === "completed" ? state.title : undefined;
  return context.journal.event("tool.finished", { messageID, partID, callID, tool, title, status: state.status === "completed" ? "completed" : "error", durationMs });
}
