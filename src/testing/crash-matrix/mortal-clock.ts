import type { Clock } from "../../util/clock.ts";
import { monotonicNow } from "../../util/clock.ts";

/** The clock of one process: when that dies, its timers die with it. */
export interface MortalClock extends Required<Clock> {
  /** Milliseconds until the next timer; `undefined` when none is open. */
  nextDueMs(): number | undefined;
  /** How many timers are open. */
  pending(): number;
  /** From now on no timer fires. */
  kill(): void;
}

export function mortalClock(clock: Clock): MortalClock {
  /** Due times by handle. */
  const timers = new Map<unknown, number>();
  let dead = false;
  return {
    now: () => clock.now(),
    monotonic: () => monotonicNow(clock),
    setTimeout(run, ms) {
      if (dead) return undefined;
      const handle = clock.setTimeout(() => {
        timers.delete(handle);
        run();
      }, ms);
      timers.set(handle, monotonicNow(clock) + Math.max(0, ms));
      return handle;
    },
    clearTimeout(handle) {
      timers.delete(handle);
      clock.clearTimeout(handle);
    },
    nextDueMs: () => (timers.size === 0 ? undefined : Math.max(0, Math.min(...timers.values()) - monotonicNow(clock))),
    pending: () => timers.size,
    kill() {
      dead = true;
      for (const handle of timers.keys()) clock.clearTimeout(handle);
      timers.clear();
    },
  };
}
