import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { Part, ToolPart } from "../../message/part.ts";
import { CallFold, type StreamedCall } from "../step/call-fold.ts";
import { closeCalls } from "../calls/close-calls.ts";
import { settleCalls } from "../calls/settle-calls.ts";
import { StepParts } from "../step/step-parts.ts";
import type { ToolEnvironment } from "../calls/tool-environment.ts";
import { isHandedOver } from "../turn/hand-over.ts";

/**
 * Runs calls that a process left: again those that a crash cut, and for the first time those that waited for an answer. Each
 * with its input, and its result goes into its row. Returns the parts of their message, every call with its result, unless the
 * turn was handed over meanwhile.
 *
 * @throws {Suspension} calls wait for answers, but not here
 * @throws {StorageError | LeaseLostError} a call cannot be stored
 */
export async function runAgain(calls: readonly ToolPart[], { info, parts }: WithParts<AssistantMessage>, environment: ToolEnvironment): Promise<Part[]> {
  const rows = new StepParts(environment.journal);
  for (const part of parts) rows.restore(part);
  const fold = new CallFold(rows, { sessionID: info.sessionID, messageID: info.id }, environment);
  for (const part of calls) {
    const call: StreamedCall = { part, raw: argumentsOf(part), complete: true, startedMs: undefined };
    // One that waits was never started, here or at the provider.
    if (part.state.status === "running" && part.approval === undefined) call.interrupted = true;
    fold.all.push(call);
  }
  try {
    await settleCalls({ fold, parts: rows }, environment);
  } catch (error) {
    if (environment.journal.failure !== undefined || !environment.signal.aborted) throw error;
  }
  if (!isHandedOver(environment.signal)) closeCalls({ fold, parts: rows }, "aborted", environment);
  return [...rows.all];
}

/** The arguments as the model gave them. */
function argumentsOf({ textInput, state }: ToolPart): string {
  const { value } = state.input;
  return textInput === true && typeof value === "string" ? value : JSON.stringify(state.input);
}
