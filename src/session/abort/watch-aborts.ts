import { heedAbortRequests } from "./abort-requests.ts";
import type { SessionRun } from "../session-run.ts";

/**
 * Looks for abort requests, answers and prompts of other processes while work runs: when the storage tells of a commit by somebody else, or
 * where it cannot tell, each `leases.pollMs`. Returns the way to stop.
 */
export async function watchAborts(run: SessionRun): Promise<() => void> {
  const { live } = run;
  const { storage, clock, leases } = live.context;
  let timer: unknown;
  let stopped = false;
  const look = (): void => {
    // One look is for all that has come so far.
    if (timer !== undefined) clock.clearTimeout(timer);
    timer = undefined;
    if (storage.watch === undefined) lookLater();
    lookNow(run).catch((error: unknown) => {
      // The next write finds out whether the store can still be reached.
      live.context.logger?.({ level: "warn", message: "Abort requests and answers could not be read.", sessionID: live.info.id, error });
    });
  };
  const lookLater = (): void => {
    if (!stopped) timer ??= clock.setTimeout(look, leases.pollMs);
  };
  // A commit of our own notifies, too. Whether somebody else's came with it is found out later, and once for many.
  const onCommit = (): void => {
    if (live.journal.isCommitting) lookLater();
    else if (!stopped) look();
  };
  if (storage.watch === undefined) lookLater();
  const stopWatching = await storage.watch?.(live.info.id, onCommit);
  return () => {
    stopped = true;
    if (timer !== undefined) clock.clearTimeout(timer);
    stopWatching?.();
  };
}

async function lookNow(run: SessionRun): Promise<void> {
  const { live, turn, asks } = run;
  if (turn === undefined) return;
  const { aborts, asks: answered, queued } = await live.context.storage.inbox(live.info.id);
  asks.hear(answered);
  // It ended meanwhile: what is for it is dropped before the next one begins.
  if (live.running !== turn) return;
  // The next step of the turn is to know of a prompt that wants to join it.
  if (queued.some(({ info }) => !run.queue.some((known) => known.info.id === info.id))) live.hasMail = true;
  await heedAbortRequests(live, turn, aborts, queued.map(({ info }) => info.id));
}
