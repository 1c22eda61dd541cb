import { heedAbortRequests } from "./abort/abort-requests.ts";
import type { ActiveTurn } from "./turn/active-turn.ts";
import type { SessionRun } from "./session-run.ts";

/**
 * Reads what waits for the owner, when something may.
 *
 * @param turn the turn that runs or is owed
 */
export async function readInbox(run: SessionRun, turn: ActiveTurn | undefined): Promise<void> {
  const { live } = run;
  if (!live.hasMail) return;
  live.hasMail = false;
  // A write of our own that is still under way would make the inbox look changed by somebody else.
  await live.journal.flush();
  const inbox = await live.context.storage.inbox(live.info.id);
  live.journal.advance(inbox.seq);
  run.queue = inbox.queued;
  run.asks.hear(inbox.asks);
  // Where it cancels a prompt there is mail again, and the queue is read anew.
  await heedAbortRequests(live, turn, inbox.aborts, inbox.queued.map(({ info }) => info.id));
}
