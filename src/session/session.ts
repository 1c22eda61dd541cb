import { InvalidArgumentError, PromptNotFoundError } from "../errors.ts";
import type { UserMessage, WithParts } from "../message/message.ts";
import type { SessionInfo } from "../message/session-info.ts";
import { checkOptions, positiveInteger, text } from "../util/check-options.ts";
import { admit, otherContent, prepareAdmission } from "./admission.ts";
import { cancelPrompt } from "./cancel-prompt.ts";
import type { EventName, SessionListener } from "./event-hub.ts";
import type { SessionStatus } from "./events.ts";
import { heedSignal } from "./heed-signal.ts";
import type { LiveSession } from "./live-session.ts";
import type { PromptInput } from "./prompt-input.ts";
import type { PromptOptions } from "./prompt-options.ts";
import type { Runner } from "./runner.ts";
import type { TurnControl } from "./turn-control.ts";
import { Turn } from "./turn.ts";
import { userAbort } from "./user-abort.ts";

/** Which part of the transcript. */
export interface MessagePage {
  /** A message's id: only what stands before it. */
  before?: string | undefined;
  /** Most messages, the newest of them. Default: all. */
  limit?: number | undefined;
}

/**
 * A conversation that lasts. `agent.session()` makes and opens sessions.
 *
 * An idle session holds no lease, no timer and no listener of its own; it needs no closing to be garbage.
 */
export class Session {
  readonly #live: LiveSession;
  readonly #runner: Runner;
  #closing: Promise<void> | undefined;

  /** @internal Agents make sessions. */
  constructor(live: LiveSession, runner: Runner) {
    this.#live = live;
    this.#runner = runner;
  }

  get id(): string {
    return this.#live.info.id;
  }

  /** The session's row as this process knows it. */
  get info(): SessionInfo {
    return this.#live.info;
  }

  /** What the session is doing in this process. */
  get status(): SessionStatus {
    return this.#live.status;
  }

  /** @internal The session cannot be used any more: it was closed, or its store broke. */
  get isOver(): boolean {
    return this.#live.closed || this.#live.journal.failure !== undefined;
  }

  /**
   * Prompts the model. The prompt is accepted when it is stored (`turn.accepted`); while another turn runs it waits for
   * that one to end. The turn runs whether or not somebody waits for it.
   *
   * @throws {InvalidArgumentError} the prompt is empty, or an option is not valid
   * @throws {SessionClosedError} the session is closed
   * @returns a turn; awaiting it rejects with `ConflictError` when the id was used for another prompt before
   * @example
   * const { text } = await session.prompt("What changed since v1.2?")
   */
  prompt(input: PromptInput, options: PromptOptions = {}): Turn {
    const live = this.#live;
    if (live.closed) throw this.#live.closedError();
    const admission = prepareAdmission(live, input, options, { abortTurn: (control) => this.#abortTurn(control), turnSettled: (control) => { live.removeTurn(control); } });
    const { control } = admission;
    const known = live.turns.get(control.messageID);
    if (known?.fingerprint === control.fingerprint) return new Turn(known);
    if (known !== undefined) {
      control.fail(otherContent(control.messageID, undefined));
      return new Turn(control);
    }
    live.addTurn(control);
    heedSignal(options.abortSignal, control);
    admit(live, admission).then(
      () => {
        if (!control.isSettled) this.#runner.wake();
      },
      (error: unknown) => {
        control.fail(error);
      },
    );
    return new Turn(control);
  }

  /**
   * Ends the running turn, wherever it is: the model call, a tool, a wait. Partial text is kept. Resolves when the turn
   * has ended, within a grace period even when provider and tools ignore the signal. Queued prompts run next.
   *
   * @param options - `queue: "cancel"` cancels the queued prompts too
   */
  async abort(options: { queue?: "keep" | "cancel" | undefined } = {}): Promise<void> {
    checkOptions("abort.options", options, {
      queue: (value, where) => {
        if (value !== "keep" && value !== "cancel") throw new InvalidArgumentError(where, 'expected "keep" or "cancel".');
      },
    });
    const live = this.#live;
    const current = live.running === undefined ? [...live.turns.values()][0] : live.turns.get(live.running.messageID);
    if (options.queue === "cancel") {
      const waiting = await this.queue();
      await Promise.all(waiting.filter(({ info }) => info.id !== current?.messageID).map(({ info }) => this.#cancelOrEnd(info.id)));
    }
    this.#end(current);
    // A prompt of another process runs without a turn here.
    if (current !== undefined) await current.settled;
    else if (live.running !== undefined) {
      live.running.controller.abort(userAbort());
      await live.running.ended;
    }
  }

  /**
   * The transcript, oldest message first. Queued prompts are not part of it. A closed session can still be read.
   *
   * @example
   * const newest = await session.messages({ limit: 20 })
   * const before = await session.messages({ limit: 20, before: newest[0]?.info.id })
   */
  async messages(page: MessagePage = {}): Promise<WithParts[]> {
    checkOptions("messages.page", page, { before: text, limit: positiveInteger });
    const { storage } = this.#live.context;
    const limit = page.limit ?? Number.POSITIVE_INFINITY;
    const newestFirst: WithParts[] = [];
    let before = page.before;
    do {
      const remaining = Math.min(limit - newestFirst.length, 200);
      const found = await storage.listMessages(this.id, { before, limit: remaining });
      newestFirst.push(...found.items);
      before = found.cursor;
    } while (before !== undefined && newestFirst.length < limit);
    return newestFirst.reverse();
  }

  /** Prompts that wait, in the order in which they will run. */
  async queue(): Promise<WithParts<UserMessage>[]> {
    await this.#live.journal.flush();
    return (await this.#live.context.storage.inbox(this.id)).queued;
  }

  /**
   * Takes a prompt out of the queue. Its turn ends with the outcome `cancelled`.
   *
   * @throws {PromptNotFoundError} it is not queued: unknown, running, or done
   */
  async cancel(messageID: string): Promise<void> {
    if (!(await cancelPrompt(this.#live, messageID))) throw new PromptNotFoundError(messageID);
  }

  /**
   * Calls the listener for each event of that name, or of all with `"*"`. Returns the way to stop.
   *
   * @throws {InvalidArgumentError} there is no such event, or the listener is no function
   * @throws {SessionClosedError} the session is closed, so that no event would come
   */
  on<K extends EventName>(name: K, listener: SessionListener<K>): () => void {
    if (this.#live.closed) throw this.#live.closedError();
    return this.#live.hub.on(name, listener);
  }

  /** Calls the listener for the next event of that name only; else like {@link Session.on}. */
  once<K extends EventName>(name: K, listener: SessionListener<K>): () => void {
    if (this.#live.closed) throw this.#live.closedError();
    return this.#live.hub.once(name, listener);
  }

  off<K extends EventName>(name: K, listener: SessionListener<K>): void {
    this.#live.hub.off(name, listener);
  }

  /**
   * Removes the session from the storage, with its messages. A running turn is aborted first.
   *
   * @throws {SessionNotFoundError} it is removed already
   * @throws {ConflictError} another process runs it
   */
  async remove(): Promise<void> {
    await this.#stop();
    try {
      await this.#runner.remove();
      this.#live.removed = true;
    } finally {
      this.#failTurns();
    }
    this.#detach();
  }

  /**
   * Lets go of the session: a running turn is aborted. The stored session can be opened again with `agent.session(id)`.
   *
   * Prompts that have not begun stay stored. Their turns here reject with `SessionClosedError` (`settled`: the outcome
   * `error`, code `interrupted`), but they are not lost and must not be sent again: they run with the next prompt of the
   * opened session, before it.
   */
  close(): Promise<void> {
    this.#closing ??= this.#live.closed ? Promise.resolve() : this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#stop();
    this.#failTurns();
    this.#live.publish(this.#live.journal.event("session.closed", { session: this.#live.info }));
    this.#detach();
  }

  async #stop(): Promise<void> {
    const live = this.#live;
    live.closed = true;
    live.running?.controller.abort(userAbort());
    await this.#runner.idle();
    // A prompt that is just being stored is accepted or not before its turn is told that the session is closed.
    await live.journal.flush().catch(() => undefined);
  }

  #failTurns(): void {
    for (const control of [...this.#live.turns.values()]) control.fail(this.#live.closedError());
  }

  #detach(): void {
    this.#live.context.onSessionClosed(this.id);
    this.#live.hub.clear();
  }

  /** Ends a turn that runs, or keeps one from starting. */
  #end(control: TurnControl | undefined): void {
    if (control === undefined) return;
    control.abortRequested = true;
    if (this.#live.running?.answers(control.messageID) === true) this.#live.running.controller.abort(userAbort());
  }

  async #abortTurn(control: TurnControl): Promise<void> {
    if (control.isSettled) return;
    const isNext = [...this.#live.turns.values()][0] === control;
    if (isNext || this.#live.running?.answers(control.messageID) === true || !(await cancelPrompt(this.#live, control.messageID))) this.#end(control);
    await control.settled;
  }

  /** Cancels a queued prompt, or ends its turn when that has begun meanwhile. */
  async #cancelOrEnd(messageID: string): Promise<void> {
    if (await cancelPrompt(this.#live, messageID)) return;
    const { running, turns } = this.#live;
    this.#end(turns.get(messageID));
    if (running?.answers(messageID) !== true) return;
    running.controller.abort(userAbort());
    await running.ended;
  }
}
