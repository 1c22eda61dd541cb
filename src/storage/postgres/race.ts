import { StorageError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";

/** Each lost race is a step forward of somebody else. */
const immediateAttempts = 10;
const attempts = 40;
const longestWaitMs = 50;

/**
 * Tries until the attempt is not lost to another writer. Waits only when that happens again and again, each time for another
 * while, so that those who wait do not meet again.
 *
 * @throws {StorageError} it was always lost
 */
export async function untilSettled<T>(clock: Clock, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let lost = 0; lost < attempts; lost += 1) {
    if (lost >= immediateAttempts) await new Promise<void>((resolve) => clock.setTimeout(resolve, Math.random() * longestWaitMs));
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new StorageError(`PostgreSQL: others were faster, ${attempts} times. Nothing was written.`);
}
