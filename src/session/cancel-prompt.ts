import { ConflictError } from "../errors.ts";
import type { LiveSession } from "./live-session.ts";
import { toTurnResult } from "./turn-result.ts";

/** Takes a prompt out of the queue, whoever runs the session. False when it is not queued. */
export async function cancelPrompt(live: LiveSession, messageID: string): Promise<boolean> {
  const { journal, context } = live;
  const control = live.turns.get(messageID);
  const time = context.clock.now();
  try {
    await journal.guarded([{ type: "prompt.cancel", messageID, time }], [journal.event("prompt.cancelled", { messageID }, control?.turnID ?? messageID)]);
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
  live.hasMail = true;
  control?.settle(toTurnResult(messageID, { type: "cancelled" }, []));
  return true;
}

/** Whether a promotion failed because the prompt was cancelled, here or by another process. */
export function isCancelled(error: unknown): boolean {
  if (!(error instanceof ConflictError)) return false;
  const { existing } = error;
  return typeof existing === "object" && existing !== null && "state" in existing && existing.state === "cancelled";
}
