import { ThroughlineError } from "../../errors.ts";

/** So many prompts wait in this session already that no more are accepted. Nothing was stored. */
export class QueueFullError extends ThroughlineError {
  readonly sessionID: string;

  constructor(sessionID: string, maxQueued: number) {
    super("queue-full", `${maxQueued} prompts wait in session "${sessionID}" already, so this one was not accepted. Prompt again when some have ended, or raise maxQueued.`);
    this.sessionID = sessionID;
  }
}
