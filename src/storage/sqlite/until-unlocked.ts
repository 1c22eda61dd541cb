import { StorageError } from "../../errors.ts";
import { monotonicNow } from "../../util/clock.ts";
import { backoffMs } from "./backoff.ts";
import { asStoreError, isBusy } from "./sqlite-failure.ts";
import type { SqliteSettings } from "./sqlite-options.ts";

/**
 * Does something again until no other connection locks the database.
 *
 * @throws {StorageError} it stayed locked, or failed otherwise
 */
export async function untilUnlocked<T>(action: () => T | Promise<T>, store: string, { clock, busyMs }: SqliteSettings): Promise<T> {
  const deadline = monotonicNow(clock) + busyMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (!isBusy(error)) throw asStoreError(error, store);
      if (monotonicNow(clock) >= deadline) throw new StorageError(`${store} was locked by another connection for ${busyMs} ms.`, error);
    }
    await new Promise<void>((resolve) => clock.setTimeout(resolve, backoffMs(attempt)));
  }
}
