import { ConflictError } from "../../errors.ts";
import type { LiveSession } from "../live-session.ts";
import { toTurnResult } from "../turn/turn-result.ts";

/** Takes a prompt out of the queue, whoever runs the session. False when it is not queued. */
export async function cancelPrompt(live: LiveSession, messageID: string): Promise<boolean> {
  const { journal } = live;
  const control = live.turns.get(messageID);
  const time = live.cancelTime();
  const cancelled = journal.event("prompt.cancelled", { messageID }, control?.turnID ?? messageID);
  try {
    await journal.guarded([{ type: "prompt.cancel", messageID, time }], [cancelled]);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    if (!error.isOfRepetition || !isCancelledAt(error.existing, time)) return false;
    // The store took it, its answer was lost, and the repetition met the row that the first try wrote.
    await journal.guarded([], [cancelled]);
  }
  live.hasMail = true;
  control?.settle(toTurnResult(messageID, { type: "cancelled" }, []));
  return true;
}

function isCancelledAt(row: unknown, time: number): boolean {
  if (typeof row !== "object" || row === null || !("state" in row) || !("outcome" in row)) return false;
  const { state, outcome } = row;
  return state === "cancelled" && typeof outcome === "object" && outcome !== null && "time" in outcome && outcome.time === time;
}

/** Whether a promotion failed because the prompt was cancelled, here or by another process. */
export function isCancelled(error: unknown): boolean {
  if (!(error instanceof ConflictError)) return false;
  const { existing } = error;
  return typeof existing === "object" && existing !== null && "state" in existing && existing.state === "cancelled";
}
