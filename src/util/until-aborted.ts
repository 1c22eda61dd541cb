import type { AbortSource } from "./abort-relay.ts";

/** The promise's outcome, or the signal's reason as soon as it is aborted. Leaves no listener behind; a late outcome is ignored. */
export function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSource): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(signal.reason);
    };
    const stop = (): void => {
      signal.removeEventListener("abort", onAbort);
    };
    promise.then(
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
