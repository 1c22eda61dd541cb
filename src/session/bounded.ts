import { StorageError } from "../errors.ts";
import { withDeadline } from "../util/with-deadline.ts";
import type { LiveSession } from "./live-session.ts";

/** An answer of the storage, or a `StorageError` when it takes too long. */
export function bounded<T>(live: LiveSession, answer: Promise<T>): Promise<T> {
  const { clock, timeouts } = live.context;
  return withDeadline(answer, clock, timeouts.storageMs, () => new StorageError(`The storage did not answer within ${timeouts.storageMs} ms.`));
}
