import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { Part, ToolPart } from "../../message/part.ts";
import { isSettled, transition, type ToolStateError } from "../../message/tool-state.ts";
import { toolInterruptedText, toolNeverStartedText } from "../../tools/error-texts.ts";
import { objectOf } from "../step/call-fold.ts";
import { messageError } from "../step/step-ending.ts";

/**
 * Whether a message was being written when its process ended. Where the record of a result was damaged, a message that is
 * complete has a call without one.
 */
export function isOpen(entry: WithParts): entry is WithParts<AssistantMessage> {
  return entry.info.role === "assistant" && (entry.info.time.completed === undefined || entry.parts.some(isUnsettled));
}

function isUnsettled(part: Part): boolean {
  return part.type === "tool" && !isSettled(part.state);
}

/**
 * A message as it is after its process has ended: calls without a result have one that says so, and what had come of the
 * answer stays. It stays open while calls of it are to run yet.
 *
 * @param isKept whether this call is left as it is: it runs again, or waits for an answer
 * @param now milliseconds since the epoch
 * @param notRunText why a call was not started, for the model
 */
export function closeInterrupted({ info, parts }: WithParts<AssistantMessage>, isKept: (part: ToolPart) => boolean, now: number, notRunText = toolNeverStartedText): WithParts<AssistantMessage> {
  const closed = parts.map((part): Part => {
    if (part.type !== "tool") return closeText(part, now);
    if (isSettled(part.state) || isKept(part)) return part;
    return { ...part, state: transition(part.state, interruptedState(part, now, notRunText)) };
  });
  const isRunning = closed.some((part) => part.type === "tool" && !isSettled(part.state));
  const lostCall = closed.some((part, index) => part.type === "tool" && part !== parts[index]);
  const message: AssistantMessage = { ...info };
  // With its finish the answer itself is complete.
  if (info.finish === undefined || lostCall) message.error ??= messageError("interrupted", "The process ended before this message was complete.");
  if (!isRunning) message.time = { created: info.time.created, completed: info.time.completed ?? now };
  return { info: message, parts: closed };
}

function closeText(part: Part, now: number): Part {
  if ((part.type !== "text" && part.type !== "reasoning") || part.time === undefined || part.time.end !== undefined) return part;
  return { ...part, time: { start: part.time.start, end: now } };
}

function interruptedState({ tool, state }: ToolPart, now: number, notRunText: (tool: string) => string): ToolStateError {
  if (state.status === "running") {
    const { input, metadata, time } = state;
    return { status: "error", input, error: toolInterruptedText(tool), ...(metadata !== undefined && { metadata }), time: { start: time.start, end: now } };
  }
  const raw = state.status === "pending" ? state.raw : "";
  return { status: "error", input: objectOf(raw), error: notRunText(tool), neverRan: true, time: { start: now, end: now } };
}
