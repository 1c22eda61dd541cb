import type { Ask } from "../../message/ask.ts";
import type { PermissionDecision } from "../../permission/permission-policy.ts";
import type { AbortSource } from "../../util/abort-relay.ts";
import type { Clock } from "../../util/clock.ts";
import { deferred } from "../../util/deferred.ts";

/** How a wait ended. */
export type Answer =
  | { type: "replied"; ask: Ask }
  /** The turn was aborted. */
  | { type: "aborted" }
  /** It is not to be waited for here. */
  | { type: "suspended" }
  /** It needs no answer any more. */
  | { type: "closed" };

/** Decides about what is asked, by the rules as they are now. */
export type Reconsider = () => PermissionDecision | Promise<PermissionDecision>;

interface Wait {
  ask: Ask;
  reconsider: Reconsider;
  /** A call that has not begun. */
  isCall: boolean;
  end: (answer: Answer) => void;
}

interface WaitOptions extends Pick<Wait, "reconsider" | "isCall"> {
  signal: AbortSource;
  /** Called in the same breath as the wait ends. */
  ended: (answer: Answer) => void;
}

/** A timer set for longer fires at once. */
const longestMs = 2_147_483_647;

/** Who waits for which ask. Each wait ends in one way, and leaves no timer and no listener. */
export class AskWaits {
  readonly #clock: Clock;
  readonly #onExpired: (ask: Ask) => void;
  readonly #waits = new Map<string, Wait>();

  /** @param onExpired the time of an ask is over, and its wait goes on until somebody says how it ended */
  constructor(clock: Clock, onExpired: (ask: Ask) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  get all(): Wait[] {
    return [...this.#waits.values()];
  }

  wait(ask: Ask, { signal, reconsider, isCall, ended }: WaitOptions): Promise<Answer> {
    const ending = deferred<Answer>();
    let timer: unknown;
    const onAbort = (): void => {
      end({ type: "aborted" });
    };
    const end = (answer: Answer): void => {
      if (!this.#waits.delete(ask.id)) return;
      if (timer !== undefined) this.#clock.clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      ended(answer);
      ending.resolve(answer);
    };
    this.#waits.set(ask.id, { ask, reconsider, isCall, end });
    signal.addEventListener("abort", onAbort, { once: true });
    if (ask.expires !== undefined) {
      const leftMs = Math.min(ask.expires - this.#clock.now(), longestMs);
      if (leftMs > 0) timer = this.#clock.setTimeout(() => { this.#onExpired(ask); }, leftMs);
      else this.#onExpired(ask);
    }
    return ending.promise;
  }

  end(askID: string, answer: Answer): void {
    this.#waits.get(askID)?.end(answer);
  }

  /** Ends the wait of every call that has not begun. */
  endCalls(answer: Answer): void {
    for (const wait of this.all) if (wait.isCall) wait.end(answer);
  }
}
