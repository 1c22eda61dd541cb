import type { AbortSource } from "./abort-relay.ts";
import type { Clock } from "./clock.ts";

/** What a wait for foreign code ends by, when that does not end it. */
export interface WaitLimits {
  signal: AbortSource;
  clock: Clock;
  ms: number;
}

/**
 * The promise's outcome, or the signal's reason as soon as it is aborted, or what `onDeadline` returns or throws when the
 * time is over. Leaves no listener and no timer behind; a late outcome is ignored.
 */
export function settleInTime<T>(promise: PromiseLike<T>, { signal, clock, ms }: WaitLimits, onDeadline: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clock.clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    const onAbort = (): void => {
      stop();
      reject(signal.reason);
    };
    const timer = clock.setTimeout(() => {
      stop();
      resolve(Promise.resolve().then(onDeadline));
    }, ms);
    // It comes from foreign code, which may answer with no promise at all.
    Promise.resolve(promise).then(
      (value) => {
        stop();
        resolve(value);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
