import { InvalidArgumentError, LeaseLostError } from "../../errors.ts";
import { monotonicNow, type Clock } from "../../util/clock.ts";
import type { Lease } from "../storage.ts";

/** Who may write which session tree. An entry outlives its session, so that a fence never repeats. */
export class Leases {
  readonly #clock: Clock;
  readonly #held = new Map<string, Holding>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  acquire(rootID: string, owner: string, ttlMs: number): Omit<Lease, "seq"> | undefined {
    if (!(ttlMs > 0 && ttlMs < Infinity)) {
      throw new InvalidArgumentError("acquireLease.ttlMs", `must be a positive, finite number of milliseconds, not ${ttlMs}.`);
    }
    const now = monotonicNow(this.#clock);
    const held = this.#held.get(rootID);
    if (held?.owner === owner) {
      held.deadline = Math.max(held.deadline, now + ttlMs);
      held.expires = Math.max(held.expires, this.#clock.now() + ttlMs);
      return { rootID, owner, fence: held.fence, expires: held.expires };
    }
    if (held?.owner !== undefined && held.deadline > now) return undefined;
    const fence = (held?.fence ?? 0) + 1;
    const expires = this.#clock.now() + ttlMs;
    this.#held.set(rootID, { owner, fence, deadline: now + ttlMs, expires });
    return { rootID, owner, fence, expires };
  }

  /** No clock is asked: an expired lease that nobody took endangers nobody, and this runs for every commit. */
  isInForce(lease: Lease, rootID: string): boolean {
    const held = this.#held.get(rootID);
    return lease.rootID === rootID && held?.owner === lease.owner && held.fence === lease.fence;
  }

  /** @throws {LeaseLostError} */
  check(lease: Lease, rootID: string): void {
    if (!this.isInForce(lease, rootID)) throw new LeaseLostError(rootID);
  }

  /** Nobody holds the tree any more; the fence stays. */
  end(rootID: string): void {
    const held = this.#held.get(rootID);
    if (held !== undefined) held.owner = undefined;
  }
}

interface Holding {
  owner: string | undefined;
  fence: number;
  /** By the monotonic clock: a wall clock that is set ahead must not end a lease. */
  deadline: number;
  /** The same by the wall clock, to be shown. */
  expires: number;
}
