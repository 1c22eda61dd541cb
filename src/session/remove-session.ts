import { ConflictError } from "../errors.ts";
import type { LiveSession } from "./live-session.ts";

/**
 * Removes a session, in which nothing runs any more, from the storage.
 *
 * @throws {SessionNotFoundError} it is removed already
 * @throws {ConflictError} another process runs it
 */
export async function removeSession(live: LiveSession): Promise<void> {
  const { info, journal, context } = live;
  const { storage, owner, leases } = context;
  const lease = await storage.acquireLease(info.rootID, owner, leases.ttlMs);
  if (lease === undefined) throw new ConflictError(`Session "${info.id}" is run by another process. Abort it there first.`, info);
  try {
    const { seq } = await storage.commit({ sessionID: info.id, lease, operations: [{ type: "session.delete" }] });
    journal.advance(seq);
  } finally {
    // It ends by itself, and with a deleted session it is over: what was thrown before counts.
    await storage.releaseLease(lease).catch(() => undefined);
  }
  live.publish(journal.event("session.deleted", { session: info }));
}
