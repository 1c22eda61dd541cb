import { monotonicNow, type Clock } from "../../util/clock.ts";

/** The limits of a tool call, in milliseconds. */
export interface ToolLimits {
  timeoutMs: number;
  /** Longest time without progress. */
  idleTimeoutMs: number | undefined;
}

/** Which limit was reached. */
export interface ReachedLimit {
  limitMs: number;
  isIdle: boolean;
}

/** The time that a tool has. It stands still while the tool waits for a person. */
export class ToolTimer {
  readonly #clock: Clock;
  readonly #onOver: (reached: ReachedLimit) => void;
  readonly #limits: ToolLimits;
  #leftMs: number;
  #startedMs = 0;
  /** When the tool last made progress; `undefined` when it has made none since the timer was set. */
  #progressMs: number | undefined;
  #timer: unknown;
  #pauses = 0;
  #stopped = false;

  constructor(clock: Clock, limits: ToolLimits, onOver: (reached: ReachedLimit) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#leftMs = limits.timeoutMs;
    this.#onOver = onOver;
    this.#start();
  }

  /** The tool has made progress. It is only noted: a tool may make much of it. */
  progress(): void {
    if (this.#limits.idleTimeoutMs !== undefined) this.#progressMs = monotonicNow(this.#clock);
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1 || this.#stopped) return;
    this.#clock.clearTimeout(this.#timer);
    this.#count();
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

  /** Takes what has passed off the time that is left. */
  #count(): void {
    this.#leftMs = Math.max(1, this.#leftMs - (monotonicNow(this.#clock) - this.#startedMs));
  }

  #start(idleLeftMs = this.#limits.idleTimeoutMs ?? Number.POSITIVE_INFINITY): void {
    const { timeoutMs, idleTimeoutMs } = this.#limits;
    this.#startedMs = monotonicNow(this.#clock);
    this.#progressMs = undefined;
    const isIdle = idleTimeoutMs !== undefined && idleLeftMs < this.#leftMs;
    this.#timer = this.#clock.setTimeout(() => {
      if (!isIdle) this.#onOver({ limitMs: timeoutMs, isIdle });
      else if (this.#progressMs === undefined) this.#onOver({ limitMs: idleTimeoutMs, isIdle });
      else this.#goOn(idleTimeoutMs, this.#progressMs);
    }, Math.min(this.#leftMs, idleLeftMs));
  }

  /** There was progress since the timer was set. */
  #goOn(idleTimeoutMs: number, progressMs: number): void {
    this.#count();
    this.#start(Math.max(1, idleTimeoutMs - (monotonicNow(this.#clock) - progressMs)));
  }
}
