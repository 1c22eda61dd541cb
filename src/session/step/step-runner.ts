import type { LanguageModelV4 } from "@ai-sdk/provider";
import { randomIDs, type IDSource } from "../../message/ids.ts";
import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { Part, StepFinishPart, ToolPart } from "../../message/part.ts";
import { zeroTokens } from "../../message/tokens.ts";
import type { ModelProfile } from "../../message/model-profile.ts";
import { profileFor } from "../../message/profile-for.ts";
import { callModel } from "../../model/call-model.ts";
import { costOf } from "../../model/cost.ts";
import { describeError } from "../../model/describe-error.ts";
import { normalizeUsage } from "../../model/normalize-usage.ts";
import { resolveModel } from "../../model/resolve-model.ts";
import { AbortRelay } from "../../util/abort-relay.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import { untilAborted } from "../../util/until-aborted.ts";
import { Suspension } from "../asks/suspension.ts";
import { callOptions } from "./call-options.ts";
import { closeCalls } from "../calls/close-calls.ts";
import { defaultTimeouts, type Timeouts } from "../defaults.ts";
import { inputHooksOf } from "./input-hooks.ts";
import type { Journal } from "../journal/journal.ts";
import { copyMetadata } from "./metadata-of.ts";
import type { StepInput } from "./step-input.ts";
import type { StepRunnerOptions } from "./step-runner-options.ts";
import { LockTable } from "../calls/lock-table.ts";
import { settleCalls } from "../calls/settle-calls.ts";
import { standaloneJournal } from "../journal/standalone-journal.ts";
import type { StepContext } from "./step-context.ts";
import { runAgain } from "../recovery/run-again.ts";
import { agentName, withError, type FinishedStep, type Step } from "./step.ts";
import { judgeEnding, resultOf, type StepEnding } from "./step-ending.ts";
import { StepFold } from "./step-fold.ts";
import { whyClosed } from "./why-closed.ts";
import { throwIfHandedOver } from "../turn/hand-over.ts";
import { offeredEntries, type CatalogEntry } from "../calls/tool-catalog.ts";
import { ToolCatalogs } from "../calls/tool-catalogs.ts";
import { toolEnvironmentOf } from "../calls/tool-environment.ts";

// Loaded together, as one file: a processor checks what it is given, a session has done so.
export { checkProcessInput } from "./check-process-input.ts";

/** Runs the steps of one processor or session run. */
export class StepRunner {
  readonly #options: StepRunnerOptions;
  readonly #clock: Clock;
  readonly #ids: IDSource;
  readonly #timeouts: Timeouts;
  readonly #catalogs: ToolCatalogs;
  /** Wire rules of the newest model, as finding them takes a dozen patterns. */
  #profiled: { model: LanguageModelV4; profile: ModelProfile } | undefined;

  constructor(options: StepRunnerOptions) {
    this.#options = options.locks === undefined ? { ...options, locks: new LockTable() } : options;
    this.#catalogs = new ToolCatalogs(options.catalog);
    this.#clock = options.clock ?? systemClock();
    this.#ids = options.ids ?? randomIDs();
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
  }

  /**
   * Runs one step. It does not throw for what a model or a tool does: that becomes the message's `error`, or a call's.
   *
   * @throws {StorageError | LeaseLostError} the step cannot be stored
   * @throws {InvalidArgumentError | InvalidToolError | MissingPackageError} the model or a tool cannot be used
   * @throws {HandOver} the turn goes on in another process, as after a crash: what is open stays so
   */
  async run(input: StepInput): Promise<FinishedStep> {
    const turnToBegin = this.#options.pace?.enter();
    if (turnToBegin !== undefined) await turnToBegin;
    const signal = input.abortSignal ?? new AbortController().signal;
    const model = resolveModel(input.model);
    const entries = this.#entries(input, signal);
    const step = this.#begin(input, model instanceof Promise ? await model : model, entries instanceof Promise ? await entries : entries, signal);
    const thrown = await this.#call(step);
    const turnToSettle = this.#options.pace?.enter();
    if (turnToSettle !== undefined) await turnToSettle;
    step.fold.close();
    throwIfHandedOver(signal);
    const ending = judgeEnding(step.fold, thrown, step.signal, this.#clock.now());
    this.#finish(step, ending);
    const aborted = await this.#settle(step, ending);
    const finished = this.#complete(step, aborted ?? ending);
    finished.cause = (thrown ?? step.fold.error)?.cause;
    // In a session the last writes of a step wait for those that follow. Here none do.
    if (this.#options.journal === undefined) await step.context.journal.flush();
    return finished;
  }

  /**
   * Runs calls of a step again that a crash cut. Returns the parts of their message, every call with its result.
   *
   * @param input as for the step itself
   */
  async runAgain(input: StepInput, calls: readonly ToolPart[], entry: WithParts<AssistantMessage>): Promise<Part[]> {
    const signal = input.abortSignal ?? new AbortController().signal;
    const context = this.#context(input, this.#journal(input));
    const entries = await this.#entries(input, signal);
    const relay = new AbortRelay(signal);
    try {
      return await runAgain(calls, entry, toolEnvironmentOf({ input, entries, context }, { options: this.#options, timeouts: this.#timeouts, signal: relay }));
    } finally {
      relay.close();
    }
  }

  #journal(input: StepInput): Journal {
    return this.#options.journal ?? standaloneJournal(input, this.#clock, this.#options);
  }

  #begin(input: StepInput, model: LanguageModelV4, entries: readonly CatalogEntry[], signal: AbortSignal): Step {
    const journal = this.#journal(input);
    const { session, user } = input;
    const also = input.begin?.();
    if (also !== undefined) journal.write(also.operations, also.events, "soon");
    const context = this.#context(input, journal);
    const message: AssistantMessage = {
      id: this.#ids("msg"),
      sessionID: session.id,
      role: "assistant",
      parentID: user.id,
      agent: agentName(input),
      providerID: model.provider,
      modelID: model.modelId,
      step: input.step ?? 1,
      attempt: input.attempt ?? 1,
      position: input.position ?? (user.position ?? 0) + 1,
      tokens: zeroTokens(),
      cost: 0,
      time: { created: this.#clock.now() },
    };
    if (input.dropped !== undefined) message.dropped = input.dropped;
    const started = journal.event("step.started", { messageID: message.id, step: message.step, attempt: message.attempt });
    // With the first part of the answer, if that comes soon: one commit for both.
    journal.write([{ type: "message.put", message }], [journal.event("message.updated", { message }), started], "soon");
    const hooks = inputHooksOf({ tools: entries.map(({ tool }) => tool), messages: input.messages, signal, log: context.log });
    const fold = new StepFold(message, context, hooks);
    fold.parts.add({ id: this.#ids("prt"), sessionID: session.id, messageID: message.id, type: "step-start" }, "soon");
    return { input, message, fold, model, entries, hooks, context, signal };
  }

  #context({ session, user }: StepInput, journal: Journal): StepContext {
    const turnID = user.traceID ?? user.id;
    return { journal, clock: this.#clock, ids: this.#ids, log: (record) => this.#options.logger?.({ sessionID: session.id, turnID, ...record }) };
  }

  /** The tools that the model is told of. A schema may have to be loaded, and be slow to come; an abort does not wait for it. */
  #entries(input: StepInput, signal: AbortSignal): readonly CatalogEntry[] | Promise<readonly CatalogEntry[]> {
    if (input.tools === undefined) return [];
    const known = this.#catalogs.of(input.tools).entries();
    const offered = (entries: readonly CatalogEntry[]): readonly CatalogEntry[] => offeredEntries(entries, input, input.history && this.#options.toolOutput?.full.reader(input.history));
    if (!(known instanceof Promise)) return offered(known);
    return untilAborted(known, signal).then(offered, (error: unknown) => {
      if (signal.aborted) return [];
      throw error;
    });
  }

  /** Makes the model call. Returns what was thrown, if anything was. */
  async #call(step: Step): Promise<{ cause: unknown } | undefined> {
    const { input, fold, model, entries, signal } = step;
    try {
      const options = callOptions(input, entries, input.profile ?? this.#profileOf(model));
      this.#options.onRequest?.(step, options.tools);
      await callModel({
        model,
        options,
        signal,
        timeouts: this.#timeouts,
        clock: this.#clock,
        onPart: (part) => fold.take(part),
      });
      return undefined;
    } catch (cause) {
      return { cause };
    }
  }

  /** Notes what the call used. The write waits for what follows: running calls, or the end of the message. */
  #finish(step: Step, ending: StepEnding): void {
    const { fold, context, message } = step;
    const { finish } = fold;
    step.message = withError(message, ending.error);
    if (finish === undefined) {
      this.#options.onUsage?.(step.message);
      return;
    }
    const tokens = normalizeUsage(finish.usage, finish.providerMetadata);
    const cost = costOf(tokens, this.#options.prices, { providerID: message.providerID, modelID: message.modelID });
    const { unified: reason, raw: rawReason } = finish.finishReason;
    Object.assign(step.message, { finish: reason, tokens, cost });
    const part: StepFinishPart = { id: this.#ids("prt"), sessionID: message.sessionID, messageID: message.id, type: "step-finish", reason, rawReason, cost, tokens };
    const metadata = copyMetadata(finish.providerMetadata);
    if (metadata !== undefined) part.metadata = metadata;
    fold.parts.add(part, "soon");
    const finished = context.journal.event("step.finished", { messageID: message.id, finish: reason, tokens, cost });
    context.journal.write([{ type: "message.put", message: step.message }], [finished], "soon");
    this.#options.onUsage?.(step.message);
  }

  /** Gives every call its result. Returns another ending when the turn was aborted meanwhile. */
  async #settle(step: Step, ending: StepEnding): Promise<StepEnding | undefined> {
    const { fold, input, context, signal } = step;
    const calls = { fold: fold.calls, parts: fold.parts };
    if (!ending.runsCalls || input.toolChoice?.type === "none") {
      closeCalls(calls, whyClosed(step, ending), context);
      return undefined;
    }
    const relay = new AbortRelay(signal);
    try {
      await settleCalls(calls, toolEnvironmentOf(step, { options: this.#options, timeouts: this.#timeouts, signal: relay }));
    } catch (error) {
      if (context.journal.failure !== undefined || error instanceof Suspension) throw error;
      // Nothing runs yet when deciding about the calls fails: each still gets its result, and the message its end.
      if (!signal.aborted) {
        closeCalls(calls, "failed", context);
        return { error: describeError(error), runsCalls: false };
      }
    } finally {
      relay.close();
    }
    if (!signal.aborted) return undefined;
    throwIfHandedOver(signal);
    closeCalls(calls, "aborted", context);
    return judgeEnding(fold, undefined, signal, this.#clock.now());
  }

  #complete(step: Step, ending: StepEnding): FinishedStep {
    const { context, fold } = step;
    const { error } = ending;
    const message = withError(step.message, error);
    message.time = { created: message.time.created, completed: this.#clock.now() };
    context.journal.write([{ type: "message.put", message }], [context.journal.event("message.updated", { message })], "soon");
    return { result: resultOf(error), message, parts: fold.parts.all };
  }

  #profileOf(model: LanguageModelV4): ModelProfile {
    if (this.#profiled?.model !== model) this.#profiled = { model, profile: profileFor(model) };
    return this.#profiled.profile;
  }
}
