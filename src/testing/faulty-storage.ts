import { systemClock, type Clock } from "../util/clock.ts";
import type { Storage } from "../storage/storage.ts";
import { interceptStorage, never, type StorageMethod, type StorageRequest } from "./intercept-storage.ts";

/** What goes wrong with one request. */
export type StorageFault =
  /** It rejects. With `applied` the store has done what it was asked for, and only the answer is lost. */
  | { readonly type: "fail"; readonly error?: Error | undefined; readonly applied?: boolean | undefined }
  /** It is never answered. With `applied` the store has done what it was asked for. */
  | { readonly type: "hang"; readonly applied?: boolean | undefined }
  /** It rejects as on a full disk, with the code `ENOSPC`, and nothing is written. */
  | { readonly type: "full" }
  /** It is passed on after `delayMs` milliseconds. */
  | { readonly type: "slow"; readonly delayMs: number };

/** Which requests a fault is for. */
export type PlannedFault = StorageFault & {
  /** The method, or several. */
  readonly on: StorageMethod | readonly StorageMethod[];
  /** Which requests of that method, from 1: one, several, or from one on. Default: all. */
  readonly nth?: number | readonly number[] | { readonly from: number } | undefined;
};

/** Faults as data (the first that fits counts), or as a function of the request. */
export type FaultPlan = readonly PlannedFault[] | ((request: StorageRequest) => StorageFault | undefined);

/** A request that was made, and what became of it. */
export interface RecordedRequest extends StorageRequest {
  readonly fault?: StorageFault | undefined;
  /** What its caller knows of it. */
  readonly outcome: "pending" | "answered" | "rejected";
}

/** What {@link faultyStorage} adds to a storage. */
export interface FaultyStorage extends Storage {
  /** Every request so far. */
  readonly requests: readonly RecordedRequest[];
  /** Those that had a fault. */
  readonly faults: readonly RecordedRequest[];
}

/**
 * A storage that fails as you say. It goes around any other, also around another faulty one.
 *
 * @param options.clock for `slow`. Default: the machine's
 * @example
 * const storage = faultyStorage(memoryStorage(), {
 *   faults: [
 *     { on: "commit", nth: 3, type: "fail" },                // refused: nothing is written
 *     { on: "commit", nth: 5, type: "fail", applied: true }, // written, and the answer is lost
 *     { on: ["listMessages", "inbox"], type: "slow", delayMs: 500 },
 *     { on: "commit", nth: { from: 9 }, type: "full" },
 *   ],
 * })
 * const agent = createAgent({ model, storage })
 */
export function faultyStorage(storage: Storage, options: { faults: FaultPlan; clock?: Clock | undefined }): FaultyStorage {
  const { faults, clock = systemClock() } = options;
  const requests: (StorageRequest & { fault?: StorageFault | undefined; outcome: RecordedRequest["outcome"] })[] = [];
  const faulty = interceptStorage(storage, async (request, next) => {
    const fault = faultFor(faults, request);
    const record: (typeof requests)[number] = { ...request, fault, outcome: "pending" };
    requests.push(record);
    try {
      const answer = await (fault === undefined ? next() : suffer(fault, next, clock));
      record.outcome = "answered";
      return answer;
    } catch (error) {
      record.outcome = "rejected";
      throw error;
    }
  });
  return Object.defineProperties(faulty, {
    requests: { value: requests },
    faults: { get: () => requests.filter(({ fault }) => fault !== undefined) },
  }) as FaultyStorage; // The two properties are what it adds.
}

function faultFor(plan: FaultPlan, request: StorageRequest): StorageFault | undefined {
  return typeof plan === "function" ? plan(request) : plan.find((fault) => isFor(fault, request));
}

function isFor({ on, nth }: PlannedFault, { method, count }: StorageRequest): boolean {
  if (typeof on === "string" ? on !== method : !on.includes(method)) return false;
  if (nth === undefined || nth === count) return true;
  if (typeof nth === "number") return false;
  return "from" in nth ? count >= nth.from : nth.includes(count);
}

async function suffer<Answer>(fault: StorageFault, next: () => Promise<Answer>, clock: Clock): Promise<Answer> {
  switch (fault.type) {
    case "fail":
      if (fault.applied === true) await next();
      throw fault.error ?? new Error("The storage failed, as planned.");
    case "hang":
      if (fault.applied === true) await next();
      return never();
    case "full":
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    case "slow":
      await new Promise<void>((resolve) => clock.setTimeout(resolve, fault.delayMs));
      return next();
  }
}
