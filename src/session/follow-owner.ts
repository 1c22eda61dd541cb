import { SessionNotFoundError } from "../errors.ts";
import { deferred } from "../util/deferred.ts";
import { requestAbort } from "./abort/abort-requests.ts";
import { cancelPrompt } from "./abort/cancel-prompt.ts";
import type { LiveSession } from "./live-session.ts";
import { findOwedPrompts, isResumed } from "./recovery/resume-turn.ts";
import type { Lease } from "../storage/storage.ts";
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
function change(live: LiveSession): Promise<void> {
  const { storage, leases } = live.context;
  return pause(live, leases.pollMs, (wake) => storage.watch?.(live.info.id, wake));
}

/** Waits so long, or until `watch` or somebody by `stopWaiting` ends the wait. A closed session does not wait. */
async function pause(live: LiveSession, ms: number, watch?: (wake: () => void) => Promise<() => void> | undefined): Promise<void> {
  if (live.closed) return;
  const { clock } = live.context;
  const over = deferred<undefined>();
  const wake = (): void => {
    over.resolve(undefined);
  };
  live.stopWaiting = wake;
  const timer = clock.setTimeout(wake, ms);
  try {
    const stopWatching = await watch?.(wake);
    await over.promise;
    stopWatching?.();
  } finally {
    live.stopWaiting = undefined;
    clock.clearTimeout(timer);
  }
}

/**
 * With the lease of a process that has just ended, finds out whether it left a turn that nobody waits for here. Elsewhere
 * somebody may: the lease is given back for so long that whoever follows that turn gets it first.
 *
 * @param gaveWay the turn that was given way to before: once is enough
 * @returns the turn that was given way to now
 */
export async function giveWay(live: LiveSession, lease: Lease, gaveWay: string | undefined): Promise<string | undefined> {
  const { storage, leases } = live.context;
  const owed = await findOwedPrompts(live);
  const first = owed[0]?.info.id;
  if (first === undefined || first === gaveWay || owed.some(({ info }) => isResumed(live, info.id))) return undefined;
  await storage.releaseLease(lease);
  await pause(live, leases.pollMs * 2);
  return first;
}
