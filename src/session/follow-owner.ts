import { SessionNotFoundError } from "../errors.ts";
import { deferred } from "../util/deferred.ts";
import { requestAbort } from "./abort/abort-requests.ts";
import { cancelPrompt } from "./abort/cancel-prompt.ts";
import type { LiveSession } from "./live-session.ts";
import { storedOutcome } from "./turn/stored-turn.ts";

/**
 * Another process runs the session: waits until something changes there, and settles the turns of this process that were
 * answered meanwhile.
 */
export async function followOwner(live: LiveSession): Promise<void> {
  live.follows = true;
  try {
    await passAbortsOn(live);
    await change(live);
  } finally {
    live.follows = false;
  }
  if (live.turns.size === 0) {
    live.hasMail = false;
    return;
  }
  await settleStored(live);
}

/**
 * A turn waits for an answer, and prompts of this process behind it: waits until somebody has written to the session, or
 * something is to be done here.
 */
export async function followWaiting(live: LiveSession): Promise<void> {
  const { seq } = live.journal;
  live.follows = true;
  try {
    for (;;) {
      // What is queued is cancelled; the turn that waits ends in a run of this process.
      if (await isToEnd(live)) break;
      if (live.turns.size === 0 || live.hasMail || live.closed || live.resuming !== undefined) break;
      await change(live);
      const stored = await live.context.storage.getSession(live.info.id);
      if (stored === undefined) throw new SessionNotFoundError(live.info.id);
      if (stored.seq !== seq) break;
    }
  } finally {
    live.follows = false;
  }
  if (live.turns.size > 0) await settleStored(live);
}

/** Whether a turn is to end that has begun. Those that have not are taken out of the queue. */
async function isToEnd(live: LiveSession): Promise<boolean> {
  let has = false;
  for (const control of [...live.turns.values()]) has ||= control.abortRequested && !(await cancelPrompt(live, control.messageID));
  return has;
}

/** A turn will not begin here: it is taken out of the queue, or who runs it is asked to end it. */
async function passAbortsOn(live: LiveSession): Promise<void> {
  for (const control of [...live.turns.values()]) {
    if (!control.abortRequested || control.abortPassedOn || (await cancelPrompt(live, control.messageID))) continue;
    control.abortPassedOn = true;
    await requestAbort(live, control.messageID);
  }
}

/** Settles the turns of this process whose outcome another one has stored. */
export async function settleStored(live: LiveSession): Promise<void> {
  const { storage } = live.context;
  for (let after = 0, more = true; more; ) {
    const page = await storage.changes(live.info.id, { after });
    for (const item of page.changes) {
      if (item.type !== "message" || item.message.role !== "user" || item.message.outcome === undefined) continue;
      const control = live.turns.get(item.message.id);
      if (control !== undefined) control.settle(await storedOutcome(storage, item.message, item.message.outcome));
    }
    ({ seq: after, more } = page);
  }
}

/** Resolves at the next commit to the session, and at the latest after the time between two polls. */
async function change(live: LiveSession): Promise<void> {
  const { storage, clock, leases } = live.context;
  const changed = deferred<undefined>();
  const wake = (): void => {
    changed.resolve(undefined);
  };
  live.stopWaiting = wake;
  const timer = clock.setTimeout(wake, leases.pollMs);
  try {
    const stopWatching = await storage.watch?.(live.info.id, wake);
    await changed.promise;
    stopWatching?.();
  } finally {
    live.stopWaiting = undefined;
    clock.clearTimeout(timer);
  }
}
