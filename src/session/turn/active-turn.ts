import type { UserMessage, WithParts } from "../../message/message.ts";
import { deferred } from "../../util/deferred.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { isCancelled } from "../abort/cancel-prompt.ts";
import type { LiveSession, RunningTurn } from "../live-session.ts";
import { hasUnseenResults } from "../owed.ts";
import type { OwedTurn } from "../recovery/owed-turn.ts";
import type { Transcript } from "../transcript.ts";
import { TurnSteps, type TurnMeans } from "./turn-steps.ts";
import { turnPolicy } from "./turn-policy.ts";
import { outcomeOf, type Ending, type Writing } from "./turn-outcome.ts";
import { toTurnResult } from "./turn-result.ts";
import { userAbort } from "../abort/user-abort.ts";

const nothing: Writing = { operations: [], events: [] };

/** Everything that belongs to one turn, and ends with it: its prompts, its steps, its outcome. */
export class ActiveTurn extends TurnSteps implements RunningTurn {
  readonly turnID: string;
  /** Its prompt, as it was stored. */
  readonly prompt: WithParts<UserMessage>;
  readonly #live: LiveSession;
  readonly #end = deferred<undefined>();
  readonly #transcript: Transcript;
  /** The prompt once it was promoted, and those that joined it. */
  readonly prompts: UserMessage[] = [];
  readonly #prompt: UserMessage;
  /** Requests to abort that are to be cleared with the outcome. */
  readonly abortIDs = new Set<string>();

  constructor(means: TurnMeans, prompt: WithParts<UserMessage>) {
    super(means, prompt.info);
    const { live, transcript } = means;
    this.#live = live;
    this.#transcript = transcript;
    this.prompt = prompt;
    this.#prompt = prompt.info;
    this.turnID = this.#prompt.traceID ?? this.#prompt.id;
  }

  /** Takes over the prompts of a turn that another process began, and its model, before anything of it is decided here. */
  adoptPrompts({ prompts, messages }: OwedTurn): void {
    for (const { info } of prompts) this.#join(info);
    const newest = messages.at(-1);
    if (newest !== undefined) this.requests.models.goOnWith(newest.info);
  }

  /** Takes over what another process did of the turn. A step that was cut before it had an effect is tried again. */
  adopt({ messages, compactedSteps }: OwedTurn): void {
    this.messages.push(...messages);
    this.ledger.restore(compactedSteps);
    this.ledger.budget?.restore(messages);
    const last = messages.at(-1);
    if (last === undefined) return;
    const isCut = last.info.finish === undefined && this.error?.code === "interrupted" && !hasUnseenResults(last);
    if (isCut) this.attempts.next = last.info.attempt + 1;
    else this.repeatsNewest = this.attempts.isToBeRepeated(last, this.newest);
    const stepsTaken = isCut || this.repeatsNewest ? last.info.step - 1 : last.info.step;
    this.ledger.restore(Math.max(compactedSteps, stepsTaken));
    this.toolsWithheld = this.ledger.isSpent && this.requests.hasTools();
  }

  /** A failed attempt is to be made again: the turn goes on with that, here or where it is resumed. */
  get isRetrying(): boolean {
    return this.repeatsNewest || this.attempts.isPending;
  }

  /** It has begun: its prompt has its place in the transcript. */
  get isPromoted(): boolean {
    return this.prompts.length > 0;
  }

  get messageID(): string {
    return this.#prompt.id;
  }

  get ended(): Promise<unknown> {
    return this.#end.promise;
  }

  answers(messageID: string): boolean {
    return messageID === this.#prompt.id || this.prompts.some(({ id }) => id === messageID);
  }

  /** Whether a prompt can join: a ceiling can be added to the turn's, but it has one model, system text, limit, budget and format. */
  canTake({ id, system, maxSteps, budget, format }: UserMessage): boolean {
    const model = this.#live.turns.get(id)?.model ?? this.requests.givenModel;
    return model === this.requests.givenModel && [system, maxSteps, budget, format].every((own) => own === undefined);
  }

  /** Ends the turn as an abort request asks, which is cleared in the commit of the outcome. */
  abortFor(abortID: string): void {
    this.abortIDs.add(abortID);
    this.controller.abort(userAbort());
  }

  /** Nothing of the turn runs any more. */
  close(): void {
    this.#end.resolve(undefined);
  }

  /**
   * Gives a queued prompt its place in the transcript. False when it was cancelled meanwhile.
   *
   * @param replaced is written in the same commit: what becomes of the turn that this one takes the place of
   */
  async promote({ info, parts }: WithParts<UserMessage>, replaced: Writing = nothing): Promise<boolean> {
    const { journal } = this.#live;
    const { state: _queued, ...rest } = info;
    const message: UserMessage = deepFreeze({ ...rest, position: this.#transcript.nextPosition });
    const events = [...replaced.events, journal.event("prompt.promoted", { messageID: message.id }), journal.event("message.updated", { message })];
    const promotion = { type: "message.promote", messageID: message.id, position: this.#transcript.nextPosition } as const;
    try {
      await journal.promote([...replaced.operations, promotion], events);
    } catch (error) {
      if (isCancelled(error)) return false;
      throw error;
    }
    this.#join(message);
    this.#transcript.add({ info: message, parts });
    return true;
  }

  #join(message: UserMessage): void {
    // The ceiling of the first prompt is there already.
    if (message.id !== this.#prompt.id) this.requests.permissions = turnPolicy(this.requests.permissions, message.permissions);
    this.prompts.push(message);
    this.promptPosition = message.position ?? 0;
  }

  /** Writes the outcome of every prompt of the turn. Returns how to settle them, once the session's status says so too. */
  async finish(ending: Ending): Promise<() => void> {
    const { journal } = this.#live;
    const { operations, events, settle } = this.outcome(ending);
    journal.write(operations, events);
    await journal.flush();
    return settle;
  }

  /** How to write the outcome of every prompt of the turn. */
  outcome(ending: Ending): Writing & { settle: () => void } {
    const { turns } = this.#live;
    this.keepFailed();
    const result = toTurnResult(this.#prompt.id, ending, this.messages, this.output?.value);
    const writing = outcomeOf(this, ending, result, this.#live);
    const settle = (): void => {
      // Who reads the transcript in memory sees what one in the store would show: nothing is owed.
      for (const operation of writing.operations) if (operation.type === "message.put" && operation.message.role === "user") this.#transcript.note(operation.message);
      for (const { id } of this.prompts) turns.get(id)?.settle({ ...result, messageID: id }, this.cause);
    };
    return { ...writing, settle };
  }
}
