import type { JSONObject } from "../../message/json.ts";
import type { ToolPart } from "../../message/part.ts";
import type { SessionEvent } from "../events.ts";
import type { StepContext } from "../step/step-context.ts";

/** The event of a call that is about to run, here or at the provider. */
export function startedEvent(part: ToolPart, input: JSONObject, title: string | undefined, { journal }: Pick<StepContext, "journal">): SessionEvent {
  const { messageID, id: partID, callID, tool } = part;
  return journal.event("tool.started", { messageID, partID, callID, tool, title, input });
}

/** The event of a call that has its result. */
export function finishedEvent(part: ToolPart, durationMs: number, { journal }: Pick<StepContext, "journal">): SessionEvent {
  const { messageID, id: partID, callID, tool, state } = part;
  const title = state.status === "completed" ? state.title : undefined;
  return journal.event("tool.finished", { messageID, partID, callID, tool, title, status: state.status === "completed" ? "completed" : "error", durationMs });
}
