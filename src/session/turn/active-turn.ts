import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { MessageError } from "../../message/message-error.ts";
import type { AssistantMessage, UserMessage, WithParts } from "../../message/message.ts";
import type { Part, TextPart, ToolPart } from "../../message/part.ts";
import type { LanguageModel } from "../../model/language-model.ts";
import { resolveModel } from "../../model/resolve-model.ts";
import type { PermissionPolicy } from "../../permission/permission-policy.ts";
import { deferred } from "../../util/deferred.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { untilAborted } from "../../util/until-aborted.ts";
import { isCancelled } from "../abort/cancel-prompt.ts";
import type { LiveSession, RunningTurn } from "../live-session.ts";
import { hasContent, hasUnseenResults } from "../owed.ts";
import type { OwedTurn } from "../recovery/owed-turn.ts";
import type { ProcessInput, ProcessResult } from "../step/process-input.ts";
import type { FinishedStep } from "../step/step.ts";
import type { StepRunner } from "../step/step-runner.ts";
import { RunLedger } from "../run-ledger.ts";
import { interruptionNote, stepLimitNote } from "../engine-notes.ts";
import { Transcript } from "../transcript.ts";
import { turnPolicy } from "./turn-policy.ts";
import { outcomeOf, type Ending, type Writing } from "./turn-outcome.ts";
import { toTurnResult } from "./turn-result.ts";
import { userAbort } from "../abort/user-abort.ts";

const nothing: Writing = { operations: [], events: [] };

/** Everything that belongs to one turn, and ends with it. */
export class ActiveTurn implements RunningTurn {
  readonly controller = new AbortController();
  readonly ledger: RunLedger;
  /** The model's messages of this turn. */
  readonly messages: WithParts<AssistantMessage>[] = [];
  readonly turnID: string;
  /** Its prompt, as it was stored. */
  readonly prompt: WithParts<UserMessage>;
  /** Number of the attempt that the next step is. */
  attempt = 1;
  /** What was thrown in the newest step, if anything was. */
  cause: unknown;
  /** Tools were withheld from the newest step, because the turn may take no further one. */
  toolsWithheld = false;
  readonly #live: LiveSession;
  readonly #end = deferred<undefined>();
  readonly #transcript: Transcript;
  readonly #steps: StepRunner;
  /** The prompt once it was promoted, and those that joined it. */
  readonly prompts: UserMessage[] = [];
  readonly #prompt: UserMessage;
  /** The agent's policy under the ceilings of all prompts of the turn, each from its joining on. */
  #permissions: PermissionPolicy;
  /** Requests to abort that are to be cleared with the outcome. */
  readonly abortIDs = new Set<string>();
  readonly #isHidden = (tool: string): boolean => this.#permissions.hides?.(tool) === true;
  #model: LanguageModelV4 | undefined;

  constructor(live: LiveSession, transcript: Transcript, steps: StepRunner, prompt: WithParts<UserMessage>) {
    this.#live = live;
    this.#transcript = transcript;
    this.#steps = steps;
    this.prompt = prompt;
    this.#prompt = prompt.info;
    this.turnID = this.#prompt.traceID ?? this.#prompt.id;
    this.#permissions = turnPolicy(live.context.policy, this.#prompt.permissions);
    this.ledger = new RunLedger({ maxSteps: this.#prompt.maxSteps ?? live.context.maxSteps });
  }

  /** Takes over what another process did of the turn. A step that was cut before it had an effect is tried again. */
  adopt({ prompts, messages }: OwedTurn): void {
    for (const { info } of prompts) this.prompts.push(info);
    for (const message of messages) this.messages.push(message);
    const last = messages.at(-1);
    if (last === undefined) return;
    const isCut = last.info.finish === undefined && this.error?.code === "interrupted" && !hasUnseenResults(last);
    this.attempt = isCut ? last.info.attempt + 1 : 1;
    this.ledger.restore(isCut ? last.info.step - 1 : last.info.step);
    this.toolsWithheld = this.ledger.isSpent && this.#hasTools();
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

  /** Whether a prompt can join: a ceiling can be added to the turn's, but it has one model, one system text and one limit. */
  canTake({ id, system, maxSteps }: UserMessage): boolean {
    const model = this.#live.turns.get(id)?.model ?? this.#givenModel;
    return model === this.#givenModel && system === undefined && maxSteps === undefined;
  }

  get #givenModel(): LanguageModel {
    return this.#live.turns.get(this.#prompt.id)?.model ?? this.#live.context.model;
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

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get newest(): WithParts | undefined {
    return this.#transcript.newest;
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
    // The ceiling of the first prompt is there already.
    if (message.id !== this.#prompt.id) this.#permissions = turnPolicy(this.#permissions, message.permissions);
    this.prompts.push(message);
    this.#transcript.add({ info: message, parts });
    return true;
  }

  /** Makes one model call and settles its tools. */
  async step(): Promise<ProcessResult> {
    const model = await this.#resolveModel();
    const instructions = this.#live.instructions(this.signal);
    const system = [typeof instructions === "string" ? instructions : await instructions, this.#prompt.system ?? ""];
    this.toolsWithheld = this.ledger.nextIsLast && this.#hasTools();
    this.ledger.takeStep();
    if (this.toolsWithheld) this.#addNote(stepLimitNote(this.ledger.maxSteps));
    const input = this.#input(model, this.#transcript);
    input.system = system;
    if (this.toolsWithheld) input.toolChoice = { type: "none" };
    const finished = await this.#steps.run(input);
    this.attempt = 1;
    this.#note(finished);
    this.cause = finished.cause;
    return finished.result;
  }

  /** Runs the calls of a message of this turn again that a crash cut. Returns its parts, every call with its result. */
  async runAgain(calls: readonly ToolPart[], entry: WithParts<AssistantMessage>): Promise<Part[]> {
    const { entries, seq } = this.#transcript;
    const seen = new Transcript(entries.slice(0, entries.indexOf(entry)), seq);
    return this.#steps.runAgain(this.#input(await this.#resolveModel(), seen), calls, entry);
  }

  /** Tells the model that its answer was cut, when that is all it would see of it. */
  noteInterruption(): void {
    const newest = this.messages.at(-1);
    if (newest === undefined || newest.info.id !== this.#transcript.newest?.info.id) return;
    const wasTold = newest.parts.some((part) => part.type === "text" && part.synthetic === true);
    if (this.error?.code === "interrupted" && !hasUnseenResults(newest) && hasContent(newest) && !wasTold) this.#addNote(interruptionNote());
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
    const result = toTurnResult(this.#prompt.id, ending, this.messages);
    const writing = outcomeOf(this, ending, result, this.#live);
    const settle = (): void => {
      // Who reads the transcript in memory sees what one in the store would show: nothing is owed.
      for (const operation of writing.operations) if (operation.type === "message.put" && operation.message.role === "user") this.#transcript.note(operation.message);
      for (const { id } of this.prompts) turns.get(id)?.settle({ ...result, messageID: id }, this.cause);
    };
    return { ...writing, settle };
  }

  async #resolveModel(): Promise<LanguageModelV4> {
    return (this.#model ??= await untilAborted(Promise.resolve(resolveModel(this.#givenModel)), this.signal));
  }

  #hasTools(): boolean {
    return this.#live.context.tools.list().some(({ name }) => !this.#isHidden(name));
  }

  #input(model: LanguageModelV4, transcript: Transcript): ProcessInput {
    const { context, info } = this.#live;
    return {
      session: info,
      user: this.#prompt,
      agent: context.name,
      messages: transcript.request({ providerID: model.provider, modelID: model.modelId }, context.profile),
      tools: context.tools,
      model,
      profile: context.profile,
      abortSignal: this.signal,
      settings: context.settings,
      providerOptions: context.providerOptions,
      permissions: this.#permissions,
      isHidden: this.#isHidden,
      step: this.ledger.steps,
      attempt: this.attempt,
      position: transcript.nextPosition,
    };
  }

  /** Takes the newest step into the transcript. */
  #note({ message, parts }: FinishedStep): void {
    // Two lists: the result is its caller's, who may change it.
    this.messages.push({ info: message, parts: [...parts] });
    this.#transcript.add({ info: message, parts: [...parts] });
  }

  /** Adds a note for the model to the newest message. It is stored, so that later requests repeat it as it was. */
  #addNote(text: string): void {
    const { context, journal } = this.#live;
    const newest = this.#transcript.newest;
    if (newest === undefined) return;
    const { id: messageID, sessionID } = newest.info;
    const part: TextPart = { id: context.ids("prt"), sessionID, messageID, type: "text", text, synthetic: true };
    const parts = [...newest.parts, part];
    this.#transcript.replaceNewest({ info: newest.info, parts });
    // The result shows what is stored. At the first step the newest message is the prompt, which is not in it.
    const last = this.messages.pop();
    if (last !== undefined) this.messages.push(last.info.id === messageID ? { info: last.info, parts: [...parts] } : last);
    journal.write([{ type: "part.put", part }], [journal.event("part.updated", { part })], "soon");
  }

  /** Why the turn could not go on, when it is the newest step's fault. */
  get error(): MessageError | undefined {
    return this.messages.at(-1)?.info.error;
  }
}
