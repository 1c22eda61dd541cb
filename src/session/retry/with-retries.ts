import type { MessageError } from "../../message/message-error.ts";
import type { Clock } from "../../util/clock.ts";
import { isAborted } from "../../util/is-aborted.ts";
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
  mayGoOn?: (() => boolean) | undefined;
  /** Hears of a failed attempt before the wait. */
  onWait(failed: FailedAttempt): Promise<void> | void;
  /** The wait is over, and the next attempt begins. */
  onGoOn(): void;
}

/**
 * Makes a model call until an attempt ends well, cannot be made again, or is the last one that is allowed.
 *
 * @param first the first attempt, where it was made already
 * @param left a failed attempt that another process left, and that the retries go on from
 * @returns the last attempt; after an abort the one that was waited for
 */
export async function withRetries(call: RetriedCall, { first, left }: { first?: FinishedStep | undefined; left?: FinishedStep | undefined } = {}): Promise<FinishedStep> {
  const before = left?.message.attempt ?? 1;
  const count: AttemptCount = { made: before, empty: before - 1 };
  let step = left ?? first ?? (await call.attempt());
  for (;;) {
    const failed = nextWait(call, step, count);
    if (failed === undefined) return step;
    // Of one that another process left, a part of the wait is over.
    const overMs = step === left ? call.clock.now() - (step.message.time.completed ?? call.clock.now()) : 0;
    await call.onWait(failed);
    if (failed.delayMs > overMs) await wait(Math.min(failed.delayMs, failed.delayMs - overMs), call.clock, call.signal);
    if (isAborted(call.signal)) return step;
    call.onGoOn();
    step = await call.attempt();
    count.made += 1;
  }
}

/** The wait before the attempt is made again, if it is. */
function nextWait({ settings, signal, mayGoOn }: RetriedCall, step: FinishedStep, count: AttemptCount): FailedAttempt | undefined {
  const error = replyFailure(step.message, step.parts);
  if (error === undefined || signal.aborted) return undefined;
  if (error.code === "empty") count.empty += 1;
  const delayMs = retryDelay(error, count, settings, Math.random());
  return delayMs === undefined || mayGoOn?.() === false ? undefined : { step, error, delayMs };
}
