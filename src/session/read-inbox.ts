import type { SessionRun } from "./session-run.ts";

/** Reads what waits for the owner, when something may. */
export async function readInbox(run: SessionRun): Promise<void> {
  const { live } = run;
  if (!live.hasMail) return;
  live.hasMail = false;
  // A write of our own that is still under way would make the inbox look changed by somebody else.
  await live.journal.flush();
  const inbox = await live.context.storage.inbox(live.info.id);
  live.journal.advance(inbox.seq);
  run.queue = inbox.queued;
}
