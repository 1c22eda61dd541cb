import { deferred } from "../../util/deferred.ts";
import type { AbortSource } from "../../util/abort-relay.ts";
import { untilAborted } from "../../util/until-aborted.ts";

/** Who has what to itself, over all sessions of an agent. First come, first served; nothing is kept of what nobody holds. */
export class LockTable {
  /** By name, when its newest taker lets go. */
  readonly #lasts = new Map<string, Promise<void>>();

  /**
   * Waits for all of the names. They are taken one by one in sorted order: two takers that want the same ones cannot wait
   * for each other.
   *
   * @returns lets go of them
   * @throws the signal's reason when it is aborted meanwhile: then nothing is held
   */
  async take(names: readonly string[], signal: AbortSource): Promise<() => void> {
    const held: (() => void)[] = [];
    const letGo = (): void => {
      for (const release of held.splice(0)) release();
    };
    try {
      for (const name of [...new Set(names)].sort()) held.push(await this.#takeOne(name, signal));
      return letGo;
    } catch (error) {
      letGo();
      throw error;
    }
  }

  async #takeOne(name: string, signal: AbortSource): Promise<() => void> {
    const before = this.#lasts.get(name);
    const mine = deferred<undefined>();
    // Who gives up waiting still stands between the one before and the one behind.
    const last = before === undefined ? mine.promise : before.then(() => mine.promise);
    this.#lasts.set(name, last);
    const release = (): void => {
      mine.resolve(undefined);
      void last.then(() => {
        if (this.#lasts.get(name) === last) this.#lasts.delete(name);
      });
    };
    try {
      if (before !== undefined) await untilAborted(before, signal);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }
}
