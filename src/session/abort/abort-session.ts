import { cancelPrompt } from "./cancel-prompt.ts";
import type { LiveSession } from "../live-session.ts";
import { findOwedPrompt, follow } from "../recovery/resume-turn.ts";
import { TurnControl, type TurnHost } from "../turn/turn-control.ts";
import { userAbort } from "./user-abort.ts";

/** A session as its `abort` needs it. */
export interface AbortableSession {
  live: LiveSession;
  host: TurnHost;
  /** There is something to run, or to follow. */
  wake(): void;
}

/** Ends the turn that runs, wherever it does, or that a crash left. Resolves when it has ended. */
export async function abortSession(session: AbortableSession, queue: "keep" | "cancel"): Promise<void> {
  const { live } = session;
  live.wantedCompaction?.controller.abort(userAbort());
  // In this very moment: from here on it makes no call.
  const { running } = live;
  running?.controller.abort(userAbort());
  const nextID = running?.messageID ?? (await turnElsewhere(session))?.messageID ?? (await nextToRun(live));
  const current = nextID === undefined ? undefined : live.turns.get(nextID);
  if (queue === "cancel") {
    // What is to be cancelled must not begin because the turn before it has ended.
    const cancelling = (live.cancelling = cancelQueued(live, current?.messageID));
    await cancelling.finally(() => {
      if (live.cancelling === cancelling) live.cancelling = undefined;
    });
  }
  endTurn(live, current);
  if (current !== undefined) {
    session.wake();
    await current.settled;
    return;
  }
  // A prompt of another process runs here, or is about to, without a turn of this one.
  if (nextID !== undefined) await cancelOrEnd(live, nextID);
}

async function cancelQueued(live: LiveSession, currentID: string | undefined): Promise<void> {
  await live.journal.flush();
  const { queued } = await live.context.storage.inbox(live.info.id);
  await Promise.all(queued.filter(({ info }) => info.id !== currentID).map(({ info }) => cancelOrEnd(live, info.id)));
}

/** Ends one turn; one that still waits in the queue is cancelled. Resolves when it has ended. */
export async function abortTurn(live: LiveSession, control: TurnControl): Promise<void> {
  if (control.isSettled) return;
  const runs = live.running?.answers(control.messageID) === true;
  const isNext = live.running === undefined && (await nextToRun(live)) === control.messageID;
  if (runs || isNext || !(await cancelPrompt(live, control.messageID))) endTurn(live, control);
  await control.settled;
}

/** The prompt that is about to run: the oldest that is stored, which may be another process's; else one that is just being stored. */
async function nextToRun(live: LiveSession): Promise<string | undefined> {
  await live.journal.flush();
  const { queued } = await live.context.storage.inbox(live.info.id);
  return live.running?.messageID ?? queued[0]?.info.id ?? [...live.turns.keys()][0];
}

/** The turn of a prompt that has begun and does not run here: another process runs it, or has died over it. */
async function turnElsewhere({ live, host }: AbortableSession): Promise<TurnControl | undefined> {
  // What is prompted here and does not run yet is about to: nobody need be asked.
  if (live.running !== undefined || (live.turns.size > 0 && !live.follows)) return undefined;
  const prompt = await findOwedPrompt(live);
  if (prompt === undefined) return undefined;
  const control = TurnControl.unbound(host);
  follow(live, prompt, control);
  return live.turns.get(prompt.info.id);
}

/** Ends a turn that runs, or keeps one from starting. */
function endTurn(live: LiveSession, control: TurnControl | undefined): void {
  if (control === undefined) return;
  control.abortRequested = true;
  if (live.running?.answers(control.messageID) === true) live.running.controller.abort(userAbort());
  // Who runs it elsewhere hears of it now, and not at the next poll.
  live.stopWaiting?.();
}

/** Cancels a queued prompt, or ends its turn when that has begun meanwhile. */
async function cancelOrEnd(live: LiveSession, messageID: string): Promise<void> {
  if (await cancelPrompt(live, messageID)) return;
  const { running, turns } = live;
  endTurn(live, turns.get(messageID));
  if (running?.answers(messageID) !== true) return;
  running.controller.abort(userAbort());
  await running.ended;
}
