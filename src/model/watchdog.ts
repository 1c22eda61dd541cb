import { monotonicNow, type Clock } from "../util/clock.ts";
import { ModelTimeoutError } from "./model-timeout-error.ts";

/** Limits of one model call, in milliseconds. */
export interface ModelTimeouts {
  /** From the call to the first part of the stream. */
  firstChunkMs: number;
  /** Between two parts. Keep-alives do not count as parts. */
  idleMs: number;
  /** The whole call. */
  modelMs: number;
}

/** Watches one model call. */
export interface Watchdog {
  /** A part arrived. */
  progress(): void;
  stop(): void;
}

/** A silence is noticed after at most this much more than its limit. */
const ticksPerLimit = 4;

/**
 * One timer for a whole call, which compares a counter now and then. A timer or a race per part would cost more than the
 * part itself.
 */
export function startWatchdog(clock: Clock, timeouts: ModelTimeouts, onTimeout: (error: ModelTimeoutError) => void): Watchdog {
  const started = monotonicNow(clock);
  const periodMs = Math.max(1, Math.ceil(Math.min(timeouts.firstChunkMs, timeouts.idleMs, timeouts.modelMs) / ticksPerLimit));
  let parts = 0;
  let seen = 0;
  let lastProgress = started;
  let timer: unknown;

  const tick = (): void => {
    const now = monotonicNow(clock);
    if (parts !== seen) {
      seen = parts;
      lastProgress = now;
    }
    const error = expired(now);
    if (error === undefined) timer = clock.setTimeout(tick, periodMs);
    else onTimeout(error);
  };
  const expired = (now: number): ModelTimeoutError | undefined => {
    if (now - started >= timeouts.modelMs) return new ModelTimeoutError("modelMs", timeouts.modelMs);
    if (parts === 0 && now - started >= timeouts.firstChunkMs) return new ModelTimeoutError("firstChunkMs", timeouts.firstChunkMs);
    if (parts > 0 && now - lastProgress >= timeouts.idleMs) return new ModelTimeoutError("idleMs", timeouts.idleMs);
    return undefined;
  };

  timer = clock.setTimeout(tick, periodMs);
  return {
    progress: () => {
      parts += 1;
    },
    stop: () => {
      clock.clearTimeout(timer);
    },
  };
}
