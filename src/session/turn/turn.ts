import type { SessionEvent } from "../events.ts";
import type { TurnControl } from "./turn-control.ts";
import { TurnAbortedError, TurnFailedError, type TurnResult } from "./turn-result.ts";

/**
 * A prompt on its way to an answer. It runs whether or not somebody waits for it. Await it for the result, iterate it for
 * its events, or both.
 *
 * Awaiting rejects with {@link TurnFailedError} or {@link TurnAbortedError} when the turn ends so; every other outcome
 * resolves. Iterating never throws, and leaving the loop does not abort the turn. Begin to iterate before you await: of a
 * turn that is only awaited, the events are not kept.
 *
 * @example
 * const turn = session.prompt("What changed?")
 * for await (const event of turn) if (event.type === "part.delta" && event.partType === "text") process.stdout.write(event.delta)
 * const { text, tokens } = await turn
 */
export class Turn<Output = unknown> implements Promise<TurnResult<Output>>, AsyncIterable<SessionEvent> {
  readonly [Symbol.toStringTag] = "Turn";
  readonly #control: TurnControl;

  /** @internal Sessions make turns. */
  constructor(control: TurnControl) {
    this.#control = control;
  }

  /** The prompt's message id. */
  get messageID(): string {
    return this.#control.messageID;
  }

  /** Resolves when the prompt is stored: from then on it survives a crash. Rejects when it cannot be accepted. */
  get accepted(): Promise<{ messageID: string; seq: number }> {
    return this.#control.accepted;
  }

  /** Resolves with the result, whatever the outcome. Never rejects. */
  get settled(): Promise<TurnResult<Output>> {
    this.#control.dropLog();
    return this.#control.settled as Promise<TurnResult<Output>>; // The session knows the format.
  }

  /** Ends this turn; one that still waits in the queue is cancelled. Resolves when it has ended. */
  abort(): Promise<void> {
    return this.#control.abort();
  }

  // Resolved lazily: a promise made in advance would be an unhandled rejection when nobody awaits the turn.
  then<Value = TurnResult<Output>, Failure = never>(
    onFulfilled?: ((result: TurnResult<Output>) => Value | PromiseLike<Value>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.settled.then((result) => this.#orThrow(result)).then(onFulfilled, onRejected);
  }

  catch<Failure = never>(onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null): Promise<TurnResult<Output> | Failure> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<TurnResult<Output>> {
    return this.then().finally(onFinally);
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionEvent, void, undefined> {
    return this.#control.events();
  }

  #orThrow(result: TurnResult<Output>): TurnResult<Output> {
    if (this.#control.failure !== undefined) throw this.#control.failure.error;
    if (result.outcome === "error") throw new TurnFailedError(result, this.#control.cause);
    if (result.outcome === "aborted") throw new TurnAbortedError(result);
    return result;
  }
}
