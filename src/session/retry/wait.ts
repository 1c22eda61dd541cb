import type { Clock } from "../../util/clock.ts";

/** Waits, at most until the signal ends it. Leaves no timer and no listener behind. */
export function wait(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const stop = (): void => {
      clock.clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const timer = clock.setTimeout(stop, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
