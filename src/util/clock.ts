import { implementing, type OptionCheck } from "./check-options.ts";

/** Where time comes from. Replace it in tests with `manualClock()` of `throughline/testing`. */
export interface Clock {
  /** Milliseconds since the epoch. Shown to people; nothing is ordered by it. */
  now(): number;
  /** Milliseconds from any fixed point, never going back: for durations. Default: `now`. */
  monotonic?(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

export const checkClock: OptionCheck = implementing("a Clock", "now", "setTimeout", "clearTimeout");

/** The machine's own clock. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout: (run, ms) => setTimeout(run, ms),
    clearTimeout: (handle) => {
      // The handle's type differs between runtimes; it only ever goes back where it came from.
      clearTimeout(handle as ReturnType<typeof setTimeout>);
    },
  };
}

/** Time of a clock for durations. */
export function monotonicNow(clock: Clock): number {
  return clock.monotonic === undefined ? clock.now() : clock.monotonic();
}
