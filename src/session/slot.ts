import type PQueue from "p-queue";
import type { AbortSource } from "../util/abort-relay.ts";
import { deferred } from "../util/deferred.ts";
import { untilAborted } from "../util/until-aborted.ts";

/** A place among those that may run at once. It is left and entered again around a wait for a person. */
export class Slot {
  readonly #slots: PQueue;
  readonly #signal: AbortSource;
  #entry: Promise<void> | undefined;
  #left = deferred<undefined>();

  /** @param signal what is aborted goes on at once: it makes no model call, so it needs no place */
  constructor(slots: PQueue, signal: AbortSource) {
    this.#slots = slots;
    this.#signal = signal;
  }

  /** Waits for a place, unless there is one already. */
  enter(): Promise<void> {
    this.#entry ??= this.#enter();
    return this.#entry;
  }

  leave(): void {
    if (this.#entry === undefined) return;
    this.#entry = undefined;
    this.#left.resolve(undefined);
  }

  async #enter(): Promise<void> {
    const entered = deferred<undefined>();
    const left = deferred<undefined>();
    this.#left = left;
    void this.#slots.add(() => {
      entered.resolve(undefined);
      return left.promise;
    });
    await untilAborted(entered.promise, this.#signal).catch(() => undefined);
  }
}
