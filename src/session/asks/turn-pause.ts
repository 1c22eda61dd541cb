import type { LiveSession } from "../live-session.ts";
import type { Slot } from "../slot.ts";
import type { Stopwatch } from "../../util/stopwatch.ts";

/**
 * What of a turn is at work, and what waits for a person. While nothing else is at work, the turn holds no slot.
 */
export class TurnPause {
  /** The turn's place among those that run. */
  slot: Slot | undefined;
  /** Counts the time that the turn is at work. */
  watch: Stopwatch | undefined;
  readonly #live: Pick<LiveSession, "setStatus">;
  readonly #onStill: () => void;
  /** Calls that run or are about to. */
  #active = 0;
  /** Calls that wait before they run. */
  #calls = 0;
  /** Tools that run, and wait for an answer to a question of their own. */
  #tools = 0;

  /** @param onStill only calls that have not begun are left, and all of them wait */
  constructor(live: Pick<LiveSession, "setStatus">, onStill: () => void) {
    this.#live = live;
    this.#onStill = onStill;
  }

  /** So many calls are about to run. */
  begin(calls: number): void {
    this.#active += calls;
  }

  /** A call has its result. */
  done(): void {
    this.#active -= 1;
    this.#look();
  }

  /** What began without a wait goes on, or does not. */
  settle(goesOn: boolean): void {
    if (!goesOn) this.#active -= 1;
  }

  /** A call waits before it runs. */
  holdCall(): void {
    this.#calls += 1;
    this.#look();
  }

  /** It is at work from now on: `done` must follow. */
  releaseCall(): void {
    this.#calls -= 1;
    this.#active += 1;
    this.#look();
  }

  /** A call waits no more, and does not run: its turn ends, or is left as it is. */
  dropCall(): void {
    this.#calls -= 1;
  }

  /** A tool that runs waits. */
  holdTool(): void {
    this.#active -= 1;
    this.#tools += 1;
    this.#look();
  }

  releaseTool(): void {
    this.#tools -= 1;
    this.#active += 1;
    this.#look();
  }

  /** Every call that is left waits and has not begun. */
  get isStill(): boolean {
    return this.#active === 0 && this.#tools === 0 && this.#calls > 0;
  }

  #look(): void {
    const waits = this.#calls + this.#tools > 0;
    this.#live.setStatus({ type: waits ? "waiting" : "busy" });
    if (waits && this.#active === 0) {
      this.slot?.leave();
      this.watch?.stop();
    } else this.watch?.start();
    if (this.isStill) this.#onStill();
  }
}
