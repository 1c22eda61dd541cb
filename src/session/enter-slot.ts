import type PQueue from "p-queue";
import { deferred } from "../util/deferred.ts";
import { untilAborted } from "../util/until-aborted.ts";

/**
 * Waits for a slot. A turn that is aborted meanwhile goes on at once: it makes no model call, so it needs none. Returns
 * the way to leave.
 */
export async function enterSlot(slots: PQueue, signal: AbortSignal): Promise<() => void> {
  const entered = deferred<undefined>();
  const left = deferred<undefined>();
  void slots.add(() => {
    entered.resolve(undefined);
    return left.promise;
  });
  await untilAborted(entered.promise, signal).catch(() => undefined);
  return () => {
    left.resolve(undefined);
  };
}
