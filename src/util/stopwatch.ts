import { monotonicNow, type Clock } from "./clock.ts";

/** Counts the time that something is at work. */
export class Stopwatch {
  readonly #clock: Clock;
  #counted = 0;
  #since: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get elapsedMs(): number {
    return this.#counted + (this.#since === undefined ? 0 : Math.max(0, monotonicNow(this.#clock) - this.#since));
  }

  /** What was counted elsewhere. */
  add(ms: number): void {
    this.#counted += ms;
  }

  start(): void {
    this.#since ??= monotonicNow(this.#clock);
  }

  stop(): void {
    this.#counted = this.elapsedMs;
    this.#since = undefined;
  }
}
