import type { MessageError } from "../../message/message-error.ts";
import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { LiveSession } from "../live-session.ts";
import type { StepInput } from "../step/step-input.ts";
import type { FinishedStep } from "../step/step.ts";
import type { StepRunner } from "../step/step-runner.ts";
import { dropAttempt } from "../turn/drop-attempt.ts";
import type { Writing } from "../turn/turn-outcome.ts";
import { droppedBy } from "../budget/dropped-by.ts";
import { replyFailure } from "./reply-failure.ts";
import { retryDelay } from "./retry-policy.ts";
import { isCurable } from "./turn-models.ts";
import { isAborted } from "../../util/is-aborted.ts";
import { withRetries } from "./with-retries.ts";

/** A model call of a turn. */
export interface TurnCall {
  /** Of the next attempt. */
  input(): StepInput;
  /** Whether another attempt can be paid for. */
  mayGoOn(): boolean;
  /** Hears what an attempt used. */
  settle(message: AssistantMessage): void;
  /** Takes the next model. False when none is left that could. */
  fallBack(): Promise<boolean>;
}

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
  /** Why the newest step failed, when several models were tried. */
  failure: MessageError | undefined;
  /** Stored, and to be replaced by the next attempt. */
  #failed: { step: FinishedStep; error: MessageError } | undefined;
  /** Gave way to a compaction; the next attempt takes its place. */
  #refused: WithParts<AssistantMessage> | undefined;
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

  /** Whether an attempt that another process left has failed and is to be made again, by its model or the next. */
  isToBeRepeated({ info, parts }: WithParts<AssistantMessage>, newest: WithParts | undefined): boolean {
    const error = replyFailure(info, parts);
    if (error === undefined || newest?.info.id !== info.id) return false;
    const { retry, fallbackModels } = this.#live.context;
    return retryDelay(error, { made: info.attempt, empty: info.attempt }, retry, 0) !== undefined || (isCurable(error.code) && fallbackModels.length > 0);
  }

  /** Goes on from a failed attempt that another process left. */
  goOnFrom({ info: message, parts }: WithParts<AssistantMessage>): void {
    const error = replyFailure(message, parts);
    if (error === undefined) return;
    this.#left = { result: "stop", message, parts };
    this.#failed = { step: this.#left, error };
    this.next = message.attempt + 1;
  }

  /** Goes on from an attempt that the provider refused, and that was dropped with what was compacted since. */
  goOnFromRefused(refused: WithParts<AssistantMessage>): void {
    this.#refused = refused;
    this.next = refused.info.attempt + 1;
  }

  /** Takes the failed attempt that nothing replaces any more. */
  takeFailed(): FinishedStep | undefined {
    const failed = this.#failed?.step;
    this.#failed = undefined;
    return failed;
  }

  /**
   * Makes attempts, with one model after the other, until one ends well or is the last. Nothing when the turn was aborted
   * between two of them: the failed one is still pending.
   */
  async make(call: TurnCall): Promise<FinishedStep | undefined> {
    // As a rule the first one ends well.
    const first = this.#left === undefined ? await this.#attempt(call.input(), call) : undefined;
    if (first === undefined || replyFailure(first.message, first.parts) !== undefined) return this.#makeMore(call, first);
    this.failure = undefined;
    return first;
  }

  async #makeMore(call: TurnCall, begun: FinishedStep | undefined): Promise<FinishedStep | undefined> {
    let first = begun;
    const causes: NonNullable<MessageError["causes"]> = [];
    for (;;) {
      const step = await this.#retry(call, first);
      first = undefined;
      this.failure = undefined;
      if (step === undefined) return undefined;
      const error = replyFailure(step.message, step.parts);
      if (error === undefined || this.#signal.aborted) return step;
      const { providerID, modelID } = step.message;
      causes.push({ model: { providerID, modelID }, error });
      const [firstCause] = causes;
      if (causes.length > 1 && firstCause !== undefined) this.failure = { ...firstCause.error, causes };
      // Pending while the next model is looked for: an abort, or an error of that, keeps it.
      this.#failed = { step, error };
      if (!isCurable(error.code) || !call.mayGoOn() || !(await call.fallBack())) return this.takeFailed();
      if (isAborted(this.#signal)) return undefined;
    }
  }

  async #retry(call: TurnCall, first: FinishedStep | undefined): Promise<FinishedStep | undefined> {
    const { journal, context } = this.#live;
    const left = this.#left;
    this.#left = undefined;
    const step = await withRetries(
      {
        settings: context.retry,
        clock: context.clock,
        signal: this.#signal,
        mayGoOn: () => call.mayGoOn(),
        attempt: () => this.#attempt(call.input(), call),
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
      { first, left },
    );
    // Aborted in the wait. One that another process left may also be the last of its model.
    return this.isPending && isAborted(this.#signal) ? undefined : step;
  }

  async #attempt(input: StepInput, call: TurnCall): Promise<FinishedStep> {
    this.next += 1;
    if (this.isPending || this.#refused !== undefined) input.dropped = this.#takeDropped();
    const step = await this.#steps.run(Object.assign(input, { begin: () => this.#drop() }));
    call.settle(step.message);
    return step;
  }

  /** What the attempt used whose place the next one takes. */
  #takeDropped(): AssistantMessage["dropped"] {
    const failed = this.#failed?.step;
    const replaced = failed === undefined ? this.#refused : { info: failed.message, parts: [...failed.parts] };
    this.#refused = undefined;
    return replaced && droppedBy(replaced);
  }

  /** How to drop the failed attempt, when the next one begins. */
  #drop(): Writing | undefined {
    const failed = this.#failed;
    this.#failed = undefined;
    return failed && dropAttempt({ info: failed.step.message, parts: [...failed.step.parts] }, failed.error, this.#live.journal);
  }
}
