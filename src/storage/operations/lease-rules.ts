import { InvalidArgumentError } from "../../errors.ts";
import type { Lease } from "../storage.ts";

/** Who may write a session tree, as a store keeps it. It outlives its session, so that a fence never repeats. */
export interface Holding {
  /** Absent once the lease was given back. */
  owner: string | undefined;
  fence: number;
  /** Until when, on the clock that is asked; others may take it from then on. */
  deadline: number;
}

/** Somebody wants to write a session tree. */
export interface LeaseRequest {
  owner: string;
  ttlMs: number;
  /** On the clock of the deadlines. */
  now: number;
  /** Whether the process of the present owner is known to have ended: its lease need not be waited for. */
  isDead?: (() => boolean) | undefined;
}

/** @throws {InvalidArgumentError} */
export function checkTtl(ttlMs: number): void {
  if (ttlMs > 0 && ttlMs < Infinity) return;
  throw new InvalidArgumentError("acquireLease.ttlMs", `must be a positive, finite number of milliseconds, not ${ttlMs}.`);
}

/**
 * The holding after somebody has asked for it; `undefined` while somebody else has it.
 */
export function take(held: Holding | undefined, { owner, ttlMs, now, isDead }: LeaseRequest): Holding | undefined {
  if (held === undefined) return { owner, fence: 1, deadline: now + ttlMs };
  // A renewal never shortens.
  if (held.owner === owner) return { owner, fence: held.fence, deadline: Math.max(held.deadline, now + ttlMs) };
  if (held.owner !== undefined && held.deadline > now && isDead?.() !== true) return undefined;
  return { owner, fence: held.fence + 1, deadline: now + ttlMs };
}

/** Whether a lease is the newest of its tree. No clock is asked: an expired lease that nobody took endangers nobody. */
export function isInForce(held: Holding | undefined, lease: Lease, rootID: string): boolean {
  return lease.rootID === rootID && held?.owner === lease.owner && held.fence === lease.fence;
}
