import { LeaseLostError } from "../errors.ts";
import type { Lease, Storage } from "../storage/storage.ts";
import { monotonicNow, type Clock } from "../util/clock.ts";

/** Renewals per life of a lease: two may fail, and the last quarter is the margin in which tools are aborted. */
const renewalsPerTtl = 4;

/** A lease, and since when it is held for certain. */
export interface HeldLease {
  lease: Lease;
  /** By the monotonic clock, before the store was asked: it cannot have counted from an earlier time. */
  heldSince: number;
}

export interface LeaseKeeperOptions extends HeldLease {
  storage: Storage;
  clock: Clock;
  ttlMs: number;
  /** The lease is lost, or may be: nothing may be written any more. */
  onLost: (error: LeaseLostError) => void;
}

/** What renews a lease. */
export interface LeaseKeeper {
  /**
   * Renews no more, until `goOn`. Resolves when no renewal is under way: one that comes after the lease was given back would
   * take it again, for nobody.
   */
  pause(): Promise<void>;
  goOn(): void;
  stop(): void;
}

/**
 * Renews a lease while work runs. When it cannot be renewed in time the owner stops by itself, before the store lets
 * somebody else in.
 */
export function keepLease({ storage, clock, lease, heldSince, ttlMs, onLost }: LeaseKeeperOptions): LeaseKeeper {
  const periodMs = Math.max(1, Math.floor(ttlMs / renewalsPerTtl));
  let renewedAt = heldSince;
  let stopped = false;
  let timer: unknown;
  const underWay = new Set<Promise<void>>();
  const lost = (): void => {
    if (!stopped) onLost(new LeaseLostError(lease.rootID));
    stopped = true;
  };
  const renew = (): void => {
    // Each tick stands for itself: an answer that never comes must not keep the next one from noticing.
    if (monotonicNow(clock) - renewedAt >= ttlMs - periodMs) {
      lost();
      return;
    }
    timer = clock.setTimeout(renew, periodMs);
    const askedAt = monotonicNow(clock);
    const renewal = storage.acquireLease(lease.rootID, lease.owner, ttlMs).then(
      (renewed) => {
        if (renewed?.fence === lease.fence) renewedAt = askedAt;
        else lost();
      },
      () => undefined,
    );
    underWay.add(renewal);
    void renewal.then(() => underWay.delete(renewal));
  };
  timer = clock.setTimeout(renew, periodMs);
  return {
    pause: async () => {
      clock.clearTimeout(timer);
      await Promise.all(underWay);
    },
    goOn: () => {
      timer = clock.setTimeout(renew, periodMs);
    },
    stop: () => {
      stopped = true;
      clock.clearTimeout(timer);
    },
  };
}
