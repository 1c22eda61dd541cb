import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { MessageError } from "../../message/message-error.ts";
import type { AssistantMessage, UserMessage, WithParts } from "../../message/message.ts";
import type { Part, ToolPart } from "../../message/part.ts";
import { turnBudget } from "../budget/budget-of.ts";
import type { Reserve, TurnBudget } from "../budget/turn-budget.ts";
import type { Compactor } from "../compaction/compactor.ts";
import type { NextStep } from "../compaction/next-step.ts";
import { budgetNote, interruptionNote, outputLimitNote, repetitionNote, stepLimitNote } from "../engine-notes.ts";
import type { LiveSession } from "../live-session.ts";
import { noteRepetitionAt } from "../defaults.ts";
import { RepetitionGuard } from "../repetition/repetition-guard.ts";
import { hasContent, hasUnseenResults } from "../owed.ts";
import { RunLedger } from "../run-ledger.ts";
import type { ProcessResult } from "../step/process-input.ts";
import type { StepInput } from "../step/step-input.ts";
import type { FinishedStep } from "../step/step.ts";
import type { StepRunner } from "../step/step-runner.ts";
import type { OutputDemand } from "../structured-output/output-demand.ts";
import { settleOutput } from "../structured-output/settle-output.ts";
import { Transcript } from "../transcript.ts";
import { TurnAttempts } from "../retry/turn-attempts.ts";
import { addNote } from "./add-note.ts";
import { untilAborted } from "../../util/until-aborted.ts";
import { TurnRequests } from "./turn-requests.ts";
import { dropAttempt } from "./drop-attempt.ts";

/** What a turn works with: all of it is its session's run's. */
export interface TurnMeans {
  live: LiveSession;
  transcript: Transcript;
  steps: StepRunner;
  compactor: Compactor;
}

/** The model calls of one turn. */
export class TurnSteps {
  readonly controller = new AbortController();
  readonly ledger: RunLedger;
  /** The model's messages of this turn. */
  readonly messages: WithParts<AssistantMessage>[] = [];
  /** The attempts at its steps. */
  readonly attempts: TurnAttempts;
  /** What was thrown in the newest step, if anything was. */
  cause: unknown;
  /** The newest step failed in another process, and is to be made again. */
  protected repeatsNewest = false;
  /** Tools were withheld from the newest step, because the turn may take no further one. */
  toolsWithheld = false;
  /** What its model is asked. */
  readonly requests: TurnRequests;
  /** Place of the newest prompt: what was done before it was asked for by others. */
  protected promptPosition = 0;
  readonly #repetition = new RepetitionGuard();
  readonly #live: LiveSession;
  readonly #transcript: Transcript;
  readonly #steps: StepRunner;
  readonly #compactor: Compactor;
  /** What the newest step was expected to use at most. */
  #reserve: Reserve = { tokens: 0, cost: 0 };

  constructor({ live, transcript, steps, compactor }: TurnMeans, prompt: UserMessage) {
    this.#live = live;
    this.#transcript = transcript;
    this.#steps = steps;
    this.#compactor = compactor;
    this.requests = new TurnRequests(live, prompt, this.signal);
    this.attempts = new TurnAttempts({ live, steps, signal: this.signal });
    this.ledger = new RunLedger({ maxSteps: prompt.maxSteps ?? live.context.maxSteps, budget: turnBudget(live.context, prompt) });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The structured answer that the prompt wants, if it wants one. */
  get output(): OutputDemand | undefined {
    return this.requests.output;
  }

  get newest(): WithParts | undefined {
    return this.#transcript.newest;
  }

  /** Why the turn could not go on, when it is the newest step's fault. */
  get error(): MessageError | undefined {
    return this.attempts.failure ?? this.messages.at(-1)?.info.error;
  }

  /** Makes room for the next step where it would be too large. Returns why that cannot be; at once when nobody looks. */
  makeRoom(): Promise<MessageError | undefined> | undefined {
    return this.#compactor.isWatching ? this.#nextStep().then((step) => this.#compactor.makeRoom(step)) : undefined;
  }

  /** The provider has refused the newest step as too large: makes room, and drops it. False when it stays as it is. */
  async makeRoomAfterRefusal(): Promise<boolean> {
    const failed = this.messages.at(-1);
    if (failed?.info.error === undefined) return false;
    const step = await this.#nextStep();
    this.#transcript.dropNewest();
    if (await this.#compactor.makeRoomAfterRefusal(step, dropAttempt(failed, failed.info.error, this.#live.journal))) {
      this.messages.pop();
      this.ledger.returnStep();
      this.attempts.goOnFromRefused(failed);
      return true;
    }
    this.#transcript.add(failed);
    return false;
  }

  /** Whether the budget does not cover the next step; and where it covers no second one, that is the last. At once without a budget. */
  isOutOfBudget(): Promise<boolean> | undefined {
    return this.ledger.budget === undefined ? undefined : this.#spendBudget(this.ledger.budget);
  }

  async #spendBudget(budget: TurnBudget): Promise<boolean> {
    budget.watch.start();
    this.#reserve = await this.#compactor.reserve(await this.#nextStep());
    budget.beginStep();
    const lack = budget.lacks(this.#reserve, 1);
    const soon = lack ?? budget.lacks(this.#reserve, 2);
    if (soon !== undefined) this.ledger.exhaust(soon);
    return lack !== undefined;
  }

  /** What is cleared once the turn has its outcome. */
  async tidyUp(): Promise<void> {
    if (this.#compactor.prunesAfterTurns && this.requests.models.current !== undefined) await this.#compactor.endTurn(this.requests.models.current);
  }

  async #nextStep(): Promise<NextStep> {
    const model = await this.requests.models.resolve();
    return { input: { ...this.#input(model, []), model, system: await this.requests.system() }, ledger: this.ledger };
  }

  /** The model goes on repeating itself, and what it repeats was not let run. */
  get isRepeating(): boolean {
    return this.#repetition.ends(this.messages, this.promptPosition);
  }

  /** Makes one model call and settles its tools. */
  async step(): Promise<ProcessResult> {
    const { requests } = this;
    const own = await requests.models.resolve();
    const system = await requests.system();
    this.toolsWithheld = this.ledger.nextIsLast && requests.hasTools();
    this.ledger.takeStep();
    if (this.toolsWithheld) this.#addNote(this.#lastStepNote());
    const { budget } = this.ledger;
    // A schema may have to be loaded first.
    const output = this.output && (await untilAborted(this.output.entry(), this.signal));
    const next = (): StepInput => {
      const model = requests.models.current ?? own;
      const input = this.#input(model, requests.messages(model, this.#transcript));
      input.system = system;
      if (output !== undefined) requests.demand(output, input, this.toolsWithheld);
      else if (this.toolsWithheld) input.toolChoice = { type: "none" };
      return input;
    };
    const finished = await this.attempts.make({ input: next, mayGoOn: () => budget?.lacks(this.#reserve, 1) === undefined, settle: (message) => budget?.settle(message), fallBack: () => this.#fallBack() });
    if (finished === undefined) return "stop";
    this.attempts.next = 1;
    this.#note(finished);
    if (finished.message.error === undefined) this.ledger.stepEndedWell();
    this.cause = finished.cause;
    if (this.#repetition.begins(this.messages, this.promptPosition) && hasUnseenResults({ info: finished.message, parts: [...finished.parts] })) this.#addNote(repetitionNote(noteRepetitionAt));
    await this.settleOutput();
    return finished.result;
  }

  /** Takes the next model that the request fits into. False when there is none. */
  async #fallBack(): Promise<boolean> {
    for (let model = await this.requests.models.next(); model !== undefined; model = await this.requests.models.next()) {
      if (await this.#compactor.fits(await this.#nextStep())) return true;
    }
    return false;
  }

  /** Looks what the newest message has done for the answer that is wanted. An abort ends that, as it ends the turn. */
  async settleOutput(): Promise<void> {
    if (this.output === undefined) return;
    const { isSpent } = this.ledger;
    try {
      const settled = await settleOutput(this.output, this.messages, { live: this.#live, transcript: this.#transcript, isSpent, signal: this.signal });
      if (settled !== undefined) this.messages[this.messages.length - 1] = settled;
    } catch (error) {
      if (!this.signal.aborted) throw error;
    }
  }

  /** Runs the calls of a message of this turn again that a crash cut. Returns its parts, every call with its result. */
  async runAgain(calls: readonly ToolPart[], entry: WithParts<AssistantMessage>): Promise<Part[]> {
    const { entries, seq } = this.#transcript;
    const seen = new Transcript(entries.slice(0, entries.indexOf(entry)), seq);
    const model = await this.requests.models.resolve();
    const input = this.#input(model, this.requests.messages(model, seen));
    // The turn's own messages are not known yet.
    input.earlierCalls = this.#repetition.calls(seen.entries.filter(({ info }) => info.role === "assistant" && info.parentID === entry.info.parentID));
    return this.#steps.runAgain(input, calls, entry);
  }

  /** Goes on with what another process began: repeats its newest attempt where that failed, or tells the model that it was cut. */
  goOn(): void {
    const left = this.repeatsNewest ? this.messages.pop() : undefined;
    if (left === undefined) {
      this.#noteInterruption();
      return;
    }
    this.repeatsNewest = false;
    this.#transcript.dropNewest();
    this.attempts.goOnFrom(left);
  }

  /** A failed attempt that nothing takes the place of belongs to the turn after all. */
  protected keepFailed(): void {
    const failed = this.attempts.takeFailed();
    if (failed !== undefined) this.#note(failed);
  }

  /** Tells the model that its answer was cut, when that is all it would see of it. */
  #noteInterruption(): void {
    const newest = this.messages.at(-1);
    if (newest === undefined || newest.info.id !== this.#transcript.newest?.info.id) return;
    const wasTold = newest.parts.some((part) => part.type === "text" && part.synthetic === true);
    if (this.error?.code === "interrupted" && !hasUnseenResults(newest) && hasContent(newest) && !wasTold) this.#addNote(interruptionNote());
  }

  #input(model: LanguageModelV4, messages: LanguageModelV4Prompt): StepInput {
    const input = this.requests.input(model, messages);
    input.earlierCalls = this.#repetition.calls(this.messages, this.promptPosition);
    input.history = this.#transcript.entries;
    input.step = this.ledger.steps;
    input.attempt = this.attempts.next;
    input.position = this.attempts.placeAfter(this.#transcript.nextPosition);
    return input;
  }

  #lastStepNote(): string {
    if (this.ledger.lack !== undefined) return budgetNote(this.ledger.lack);
    return this.output === undefined ? stepLimitNote(this.ledger.maxSteps) : outputLimitNote(this.ledger.maxSteps, this.output.name);
  }

  /** The result shows what is stored. At the first step the newest message is the prompt, which is not in it. */
  #addNote(text: string): void {
    const isNoted = this.newest?.parts.some((part) => part.type === "text" && part.synthetic === true && part.text === text) === true;
    const noted = isNoted ? undefined : addNote(this.#live, this.#transcript, text);
    const last = this.messages.at(-1);
    if (noted !== undefined && last?.info.id === noted.info.id) this.messages[this.messages.length - 1] = { info: last.info, parts: [...noted.parts] };
  }

  /** Takes the newest step into the transcript. */
  #note({ message, parts }: FinishedStep): void {
    // Two lists: the result is its caller's, who may change it.
    this.messages.push({ info: message, parts: [...parts] });
    this.#transcript.add({ info: message, parts: [...parts] });
  }
}
