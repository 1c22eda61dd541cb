import type { MessageError } from "../../message/message-error.ts";
import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { LiveSession } from "../live-session.ts";
import type { ProcessInput } from "../step/process-input.ts";
import type { FinishedStep } from "../step/step.ts";
import type { StepRunner } from "../step/step-runner.ts";
import { dropAttempt } from "../turn/drop-attempt.ts";
import type { Writing } from "../turn/turn-outcome.ts";
import { replyFailure } from "./reply-failure.ts";
import { retryDelay } from "./retry-policy.ts";
import { withRetries } from "./with-retries.ts";

/**
 * The attempts at a turn's steps. One that failed is no part of the transcript while another may take its place: it is
 * dropped in the commit that begins the next, and kept when none follows.
 */
export class TurnAttempts {
  /** Number of the next attempt at the step. */
  next = 1;
  readonly #live: LiveSession;
  readonly #steps: StepRunner;
  readonly #signal: AbortSignal;
  /** Stored, and to be replaced by the next attempt. */
  #failed: { step: FinishedStep; error: MessageError } | undefined;
  /** Its attempts go on, as another process left it. */
  #left: FinishedStep | undefined;

  constructor({ live, steps, signal }: { live: LiveSession; steps: StepRunner; signal: AbortSignal }) {
    this.#live = live;
    this.#steps = steps;
    this.#signal = signal;
  }

  /** A failed attempt waits for the next one. */
  get isPending(): boolean {
    return this.#failed !== undefined;
  }

  /** Behind a failed attempt, whose place is taken until it is dropped. */
  placeAfter(position: number): number {
    return Math.max(position, (this.#failed?.step.message.position ?? 0) + 1);
  }

  /** Whether an attempt that another process left has failed and is to be made again. */
  isToBeRepeated({ info, parts }: WithParts<AssistantMessage>): boolean {
    const error = replyFailure(info, parts);
    if (error === undefined) return false;
    return retryDelay(error, { made: info.attempt, empty: info.attempt }, this.#live.context.retry, 0) !== undefined;
  }

  /** Goes on from a failed attempt that another process left. */
  goOnFrom({ info: message, parts }: WithParts<AssistantMessage>): void {
    this.#left = { result: "stop", message, parts };
    this.replace(this.#left);
    this.next = message.attempt + 1;
  }

  /** The attempt has failed: another one takes its place. */
  replace(step: FinishedStep): void {
    const error = replyFailure(step.message, step.parts);
    if (error !== undefined) this.#failed = { step, error };
  }

  /** Takes the failed attempt that nothing replaces any more. */
  takeFailed(): FinishedStep | undefined {
    const failed = this.#failed?.step;
    this.#failed = undefined;
    return failed;
  }

  /**
   * Makes attempts until one ends well or is the last. Nothing when the turn was aborted between two of them: the failed one
   * is still pending.
   *
   * @param input of the next attempt
   * @param mayGoOn whether another attempt can be paid for
   */
  async make(input: () => ProcessInput, mayGoOn: () => boolean): Promise<FinishedStep | undefined> {
    const { journal, context } = this.#live;
    const left = this.#left;
    this.#left = undefined;
    const step = await withRetries(
      {
        settings: context.retry,
        clock: context.clock,
        signal: this.#signal,
        mayGoOn,
        attempt: () => this.#attempt(input()),
        onWait: async ({ step: failed, error, delayMs }) => {
          this.#failed = { step: failed, error };
          const { id: messageID, attempt } = failed.message;
          // A crash in the wait must find the attempt as it ended.
          await journal.flush();
          journal.emit(journal.event("step.retry", { messageID, attempt, delayMs, error }));
          this.#live.setStatus({ type: "retry", attempt, delayMs, error });
        },
        onGoOn: () => {
          this.#live.setStatus({ type: "busy" });
        },
      },
      left,
    );
    if (this.#failed !== undefined) return undefined;
    return step;
  }

  #attempt(input: ProcessInput): Promise<FinishedStep> {
    this.next += 1;
    return this.#steps.run(input, () => this.#drop());
  }

  /** How to drop the failed attempt, when the next one begins. */
  #drop(): Writing | undefined {
    const failed = this.#failed;
    this.#failed = undefined;
    return failed && dropAttempt({ info: failed.step.message, parts: [...failed.step.parts] }, failed.error, this.#live.journal);
  }
}
