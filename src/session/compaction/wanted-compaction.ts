import { deferred, type Deferred } from "../../util/deferred.ts";
import type { CompactionResult } from "./compaction-result.ts";

/** A compaction that somebody asked for, and that waits for its turn or runs. */
export class WantedCompaction {
  readonly controller = new AbortController();
  readonly #result: Deferred<CompactionResult | undefined> = deferred();

  constructor() {
    // Who asked need not wait.
    this.#result.promise.catch(() => undefined);
  }

  get result(): Promise<CompactionResult | undefined> {
    return this.#result.promise;
  }

  settle(result: CompactionResult | undefined): void {
    this.#result.resolve(result);
  }

  fail(error: unknown): void {
    this.#result.reject(error);
  }
}
