import type { MessageError } from "../../message/message-error.ts";
import type { Clock } from "../../util/clock.ts";
import type { FinishedStep } from "../step/step.ts";
import { replyFailure } from "./reply-failure.ts";
import type { RetrySettings } from "./retry-options.ts";
import { retryDelay, type AttemptCount } from "./retry-policy.ts";
import { wait } from "./wait.ts";

/** An attempt that failed and is to be made again. */
export interface FailedAttempt {
  step: FinishedStep;
  error: MessageError;
  delayMs: number;
}

/** A model call that is made until it ends well, or may not be made again. */
export interface RetriedCall {
  settings: RetrySettings;
  clock: Clock;
  signal: AbortSignal;
  /** Makes the next attempt. */
  attempt(): Promise<FinishedStep>;
  /** Whether another one can be paid for. */
  mayGoOn?(): boolean;
  /** Hears of a failed attempt before the wait. */
  onWait(failed: FailedAttempt): Promise<void> | void;
  /** The wait is over, and the next attempt begins. */
  onGoOn(): void;
}

/**
 * Makes a model call until an attempt ends well, cannot be made again, or is the last one that is allowed.
 *
 * @param left a failed attempt that another process left, and that the retries go on from
 * @returns the last attempt; after an abort the one that was waited for
 */
export async function withRetries(call: RetriedCall, left?: FinishedStep): Promise<FinishedStep> {
  const { settings, clock, signal } = call;
  const before = left?.message.attempt ?? 1;
  const count: AttemptCount = { made: before, empty: before - 1 };
  for (let step = left ?? (await call.attempt()); ; step = await call.attempt(), count.made += 1) {
    const error = replyFailure(step.message, step.parts);
    if (error === undefined || signal.aborted) return step;
    if (error.code === "empty") count.empty += 1;
    const delayMs = retryDelay(error, count, settings, Math.random());
    if (delayMs === undefined || call.mayGoOn?.() === false) return step;
    // Of one that another process left, a part of the wait is over.
    const over = step === left ? Math.max(0, clock.now() - (step.message.time.completed ?? clock.now())) : 0;
    await call.onWait({ step, error, delayMs });
    if (delayMs > over) await wait(delayMs - over, clock, signal);
    if (signal.aborted) return step;
    call.onGoOn();
  }
}
