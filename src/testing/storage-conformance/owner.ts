import type { Lease, Operation, Storage } from "../../storage/storage.ts";
import { present } from "./assert.ts";
import { sessionID, sessionRow } from "./rows.ts";

/** Long enough for any test, on any clock. */
export const ttlMs = 60_000;

/** Somebody who holds the lease on a session. */
export interface Owner {
  lease: Lease;
  /** Commits operations to the session with the lease. Returns the new `seq`. */
  write(...operations: Operation[]): Promise<number>;
}

/** Creates the session and takes its lease. */
export async function ownNewSession(storage: Storage, id = sessionID): Promise<Owner> {
  await storage.commit({ sessionID: id, operations: [{ type: "session.create", session: sessionRow(id) }] });
  return ownSession(storage, id, "own_1");
}

/** Takes the lease of a root session. */
export async function ownSession(storage: Storage, id: string, owner: string): Promise<Owner> {
  const lease = present(await storage.acquireLease(id, owner, ttlMs), `The lease on "${id}", which nobody holds,`);
  return {
    lease,
    write: async (...operations) => (await storage.commit({ sessionID: id, lease, operations })).seq,
  };
}

/** Commits operations to the session without a lease, as any process may. */
export async function commitUnleased(storage: Storage, ...operations: Operation[]): Promise<number> {
  return (await storage.commit({ sessionID, operations })).seq;
}
