import { monotonicNow, type Clock } from "../../util/clock.ts";

/** The time that a tool has. It stands still while the tool waits for a person. */
export class ToolTimer {
  readonly #clock: Clock;
  readonly #onOver: () => void;
  #leftMs: number;
  #startedMs = 0;
  #timer: unknown;
  #pauses = 0;
  #stopped = false;

  constructor(clock: Clock, limitMs: number, onOver: () => void) {
    this.#clock = clock;
    this.#leftMs = limitMs;
    this.#onOver = onOver;
    this.#start();
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1 || this.#stopped) return;
    this.#clock.clearTimeout(this.#timer);
    this.#leftMs = Math.max(1, this.#leftMs - (monotonicNow(this.#clock) - this.#startedMs));
  }

  /** To be called once for each pause. */
  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && !this.#stopped) this.#start();
  }

  stop(): void {
    this.#stopped = true;
    this.#clock.clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedMs = monotonicNow(this.#clock);
    this.#timer = this.#clock.setTimeout(this.#onOver, this.#leftMs);
  }
}
