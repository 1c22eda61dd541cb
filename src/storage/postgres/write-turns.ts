import type { Clock } from "../../util/clock.ts";
import { deferred } from "../../util/deferred.ts";

/** How long a write waits for the one before it, whose connection may be dead. */
const longestWaitMs = 1_000;

/**
 * Lets the writes of this process to one session go one after the other, in the order in which they came: at once, each would
 * make void what the others were judged on. This saves work, and is no lock: what keeps writers apart is the `seq` that each
 * compares.
 */
export class WriteTurns {
  readonly #clock: Clock;
  /** The end of the newest write, by session. */
  readonly #ends = new Map<string, Promise<undefined>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async take<T>(sessionID: string, write: () => Promise<T>): Promise<T> {
    const previous = this.#ends.get(sessionID);
    const end = deferred<undefined>();
    this.#ends.set(sessionID, end.promise);
    try {
      if (previous !== undefined) await this.#endOf(previous);
      return await write();
    } finally {
      end.resolve(undefined);
      if (this.#ends.get(sessionID) === end.promise) this.#ends.delete(sessionID);
    }
  }

  #endOf(previous: Promise<undefined>): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.setTimeout(resolve, longestWaitMs);
      void previous.then(() => {
        this.#clock.clearTimeout(timer);
        resolve();
      });
    });
  }
}
