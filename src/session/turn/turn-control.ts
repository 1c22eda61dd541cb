import { describeOwnError } from "../../message/describe-own-error.ts";
import type { LanguageModel } from "../../model/language-model.ts";
import { deferred } from "../../util/deferred.ts";
import type { SessionEvent } from "../events.ts";
import type { Format } from "../structured-output/format.ts";
import { toTurnResult, type TurnResult } from "./turn-result.ts";
import { errorMessage } from "../../util/error-message.ts";

/** The prompt that a turn answers. */
export interface TurnPrompt {
  messageID: string;
  turnID: string;
  fingerprint: string;
  model?: LanguageModel | undefined;
  format?: Format | undefined;
}

/** The session that a turn belongs to. */
export interface TurnHost {
  abortTurn(control: TurnControl): Promise<void>;
  turnSettled(control: TurnControl): void;
}

/** The engine's side of a turn: what a {@link Turn} shows is decided here. */
export class TurnControl {
  /** The prompt is stored. */
  isAccepted = false;
  /** This process admitted the prompt. Its caller waits for the outcome, whichever process runs the turn. */
  admittedHere = false;
  /** The turn is to go on, should a crash have interrupted it. */
  resumes = false;
  /** The turn is to end before its first model call. */
  abortRequested = false;
  /** Who runs it was asked to end it. */
  abortPassedOn = false;
  /** The cause of the turn's own error. */
  cause: unknown;
  /** Thrown instead of the turn's own error: what kept it from running at all. */
  failure: { error: Error } | undefined;
  readonly #acceptance = deferred<{ messageID: string; seq: number }>();
  readonly #settlement = deferred<TurnResult>();
  #result: TurnResult | undefined;
  /** Kept for somebody who iterates later; dropped as soon as somebody only awaits. */
  #log: SessionEvent[] | undefined = [];
  readonly #readers = new Set<() => void>();
  readonly #host: TurnHost;
  #prompt: TurnPrompt;

  constructor(prompt: TurnPrompt, host: TurnHost) {
    this.#prompt = prompt;
    this.#host = host;
    // A turn that nobody awaits must not end the process.
    this.accepted.catch(() => undefined);
  }

  /** A turn whose prompt is stored and not known yet: its ids are empty until {@link bind}. */
  static unbound(host: TurnHost): TurnControl {
    return new TurnControl({ messageID: "", turnID: "", fingerprint: "" }, host);
  }

  /** The turn is that of this prompt. */
  bind(prompt: TurnPrompt): void {
    this.#prompt = prompt;
  }

  get messageID(): string {
    return this.#prompt.messageID;
  }

  get turnID(): string {
    return this.#prompt.turnID;
  }

  /** Tells whether a second prompt with this id asks for the same. */
  get fingerprint(): string {
    return this.#prompt.fingerprint;
  }

  /** The model that the caller gave for this prompt: only a reference to it is stored. */
  get model(): LanguageModel | undefined {
    return this.#prompt.model;
  }

  /** The format that the caller gave for this prompt: of its schema only the JSON Schema is stored. */
  get format(): Format | undefined {
    return this.#prompt.format;
  }

  get accepted(): Promise<{ messageID: string; seq: number }> {
    return this.#acceptance.promise;
  }

  get settled(): Promise<TurnResult> {
    return this.#settlement.promise;
  }

  get isSettled(): boolean {
    return this.#result !== undefined;
  }

  /** Somebody iterates its events. */
  get isRead(): boolean {
    return this.#readers.size > 0;
  }

  accept(seq: number): void {
    this.isAccepted = true;
    this.#acceptance.resolve({ messageID: this.messageID, seq });
  }

  /** @param cause what was thrown, when the turn failed */
  settle(result: TurnResult, cause?: unknown): void {
    if (this.#result !== undefined) return;
    this.cause = cause;
    this.#result = result;
    this.#host.turnSettled(this);
    this.#settlement.resolve(result);
    this.#wakeReaders();
  }

  /** The turn cannot run: it ends as an error, and awaiting it throws this very error. */
  fail(error: unknown): void {
    if (this.#result !== undefined) return;
    const failure = error instanceof Error ? error : new Error(errorMessage(error));
    this.failure = { error: failure };
    this.#acceptance.reject(error);
    this.settle(toTurnResult(this.messageID, { type: "error", error: describeOwnError(failure) }, []));
  }

  /** Ends as another turn of the same prompt does. */
  settleWith(other: TurnControl): void {
    void other.settled.then((result) => {
      if (other.failure === undefined) this.settle(result, other.cause);
      else this.fail(other.failure.error);
    });
  }

  abort(): Promise<void> {
    return this.#host.abortTurn(this);
  }

  record(event: SessionEvent): void {
    if (this.#log === undefined) return;
    this.#log.push(event);
    this.#wakeReaders();
  }

  /** Somebody awaits the turn: without a reader its events need not be kept. */
  dropLog(): void {
    if (this.#readers.size === 0) this.#log = undefined;
  }

  /** The turn's events, from its first on. Ends with the turn. */
  async *events(): AsyncGenerator<SessionEvent, void, undefined> {
    const log = (this.#log ??= []);
    let wake: (() => void) | undefined;
    const reader = (): void => wake?.();
    this.#readers.add(reader);
    try {
      for (let index = 0; ; ) {
        const event = log[index];
        if (event !== undefined) {
          index += 1;
          yield event;
        } else if (this.#result === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else return;
      }
    } finally {
      this.#readers.delete(reader);
    }
  }

  #wakeReaders(): void {
    for (const wake of this.#readers) wake();
  }
}
