import type { Clock } from "./clock.ts";

/**
 * The promise's outcome, or the error when the deadline comes first. Its timer is gone either way, and a late outcome
 * is ignored.
 */
export function withDeadline<T>(promise: PromiseLike<T>, clock: Clock, ms: number, onDeadline: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      reject(onDeadline());
    }, ms);
    // It comes from foreign code, which may answer with no promise at all.
    Promise.resolve(promise).then(
      (value) => {
        clock.clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clock.clearTimeout(timer);
        reject(error);
      },
    );
  });
}
