import { LeaseLostError } from "../../errors.ts";
import { monotonicNow, type Clock } from "../../util/clock.ts";
import { checkTtl, isInForce, take, type Holding } from "../operations/lease-rules.ts";
import type { Lease } from "../storage.ts";

/** Who may write which session tree. An entry outlives its session, so that a fence never repeats. */
export class Leases {
  readonly #clock: Clock;
  /** Deadlines by the monotonic clock: a wall clock that is set ahead must not end a lease. */
  readonly #held = new Map<string, Holding>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  acquire(rootID: string, owner: string, ttlMs: number): Omit<Lease, "seq"> | undefined {
    checkTtl(ttlMs);
    const now = monotonicNow(this.#clock);
    const held = take(this.#held.get(rootID), { owner, ttlMs, now });
    if (held === undefined) return undefined;
    this.#held.set(rootID, held);
    // To be shown: by the wall clock.
    return { rootID, owner, fence: held.fence, expires: this.#clock.now() + (held.deadline - now) };
  }

  isInForce(lease: Lease, rootID: string): boolean {
    return isInForce(this.#held.get(rootID), lease, rootID);
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
