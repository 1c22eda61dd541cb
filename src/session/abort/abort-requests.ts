import type { AbortRequest } from "../../storage/storage.ts";
import type { ActiveTurn } from "../turn/active-turn.ts";
import { cancelPrompt } from "./cancel-prompt.ts";
import type { LiveSession } from "../live-session.ts";

/** Asks whoever runs this prompt's turn to end it. Stored, so that it also ends one whose process has died. */
export async function requestAbort(live: LiveSession, messageID: string): Promise<void> {
  const { journal, context } = live;
  await journal.guarded([{ type: "abort.request", abort: { id: context.ids("abt"), messageID, queue: "keep", time: context.clock.now() } }], []);
}

/**
 * Carries out what was asked: a request is for the turn that runs or is owed when it is read. One that comes too late for
 * its turn is dropped; no later turn may end by it.
 *
 * @param turn the turn that runs or is owed
 */
export async function heedAbortRequests(live: LiveSession, turn: ActiveTurn | undefined, requests: readonly AbortRequest[], queued: readonly string[]): Promise<void> {
  for (const { id, messageID, queue } of requests) {
    if (queue === "cancel") for (const waiting of queued) await cancelPrompt(live, waiting);
    if (turn !== undefined && (messageID === undefined || turn.answers(messageID))) turn.abortFor(id);
    else {
      if (messageID !== undefined && queued.includes(messageID)) await cancelPrompt(live, messageID);
      live.journal.write([{ type: "abort.clear", abortID: id }], []);
    }
  }
}
