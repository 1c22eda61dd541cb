import type { LanguageModelV4 } from "@ai-sdk/provider";
import { inputWindow, type ContextLimits } from "../../compaction/context-budget.ts";
import { estimateText } from "../../compaction/estimate-tokens.ts";
import { fitSummary, type SummaryContent } from "../../compaction/fit-summary.ts";
import { isProgress, sumTokens } from "../../compaction/is-progress.ts";
import type { ContextMeasure } from "../../compaction/measure-context.ts";
import { isPruneEnough, markCompacted, type PruneChoice } from "../../compaction/prune.ts";
import type { TailChoice } from "../../compaction/select-tail.ts";
import { summaryPrompt } from "../../compaction/summary-prompt.ts";
import type { MessageError } from "../../message/message-error.ts";
import type { UserMessage, WithParts } from "../../message/message.ts";
import { toModelRef } from "../../message/model-ref.ts";
import { zeroTokens } from "../../message/tokens.ts";
import { costOf } from "../../model/cost.ts";
import { describeError } from "../../model/describe-error.ts";
import { resolveModel } from "../../model/resolve-model.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { Reserve } from "../budget/turn-budget.ts";
import type { ToolCatalog } from "../calls/tool-catalog.ts";
import { keptStates } from "../calls/kept-state.ts";
import type { LiveSession } from "../live-session.ts";
import type { RunLedger } from "../run-ledger.ts";
import { abortError, messageError } from "../step/step-ending.ts";
import type { FinishedStep } from "../step/step.ts";
import type { Transcript } from "../transcript.ts";
import type { Writing } from "../turn/turn-outcome.ts";
import type { CompactionResult } from "./compaction-result.ts";
import { compactionMessage, summaryMessage, writeCompaction, type CompactionPair } from "./compaction-rows.ts";
import type { CompactionSettings } from "./compaction-settings.ts";
import { contextOverhead } from "./context-overhead.ts";
import type { NextStep } from "./next-step.ts";
import { nothingToSummarize, tooLarge } from "./refusals.ts";
import { summarize, type SummaryMeans } from "./summarize.ts";

/** Why a compaction is made. */
interface Reason {
  auto: boolean;
  /** The provider has refused the request as too large. */
  overflow: boolean;
  /** What is written in the same commit. */
  also?: Writing | undefined;
}

const nothing: Writing = { operations: [], events: [] };

/** Keeps the requests of one run of a session within the model's window. Originals stay: only the view of them shrinks. */
export class Compactor {
  readonly #live: LiveSession;
  readonly #transcript: Transcript;
  readonly #catalog: ToolCatalog;
  readonly #settings: CompactionSettings;
  /** What was pruned since the newest step: its usage still counts that. */
  #freed: { tokens: number; behind: string | undefined } = { tokens: 0, behind: undefined };

  constructor(live: LiveSession, transcript: Transcript, { catalog, compaction }: { catalog: ToolCatalog; compaction: CompactionSettings }) {
    this.#live = live;
    this.#settings = compaction;
    this.#transcript = transcript;
    this.#catalog = catalog;
  }

  /** Whether requests are measured before they are sent. Without known limits only a provider's refusal tells. */
  get isWatching(): boolean {
    const { auto, limitsOf } = this.#settings;
    return auto && limitsOf !== undefined;
  }

  /**
   * Makes room for the next step, if it needs some: clears old tool outputs, and if that is not enough summarises.
   *
   * @returns why the step cannot be made: it would be too large all the same
   */
  async makeRoom({ input, ledger }: NextStep): Promise<MessageError | undefined> {
    const limits = this.#limitsOf(input.model);
    if (limits === undefined) return undefined;
    const measure = await this.#measure(input, limits);
    if (!this.#settings.policy.isOverflow(measure, limits)) return undefined;
    if (this.#settings.prune === "overflow" && (await this.#prune(limits, measure))) return undefined;
    const made = await this.#summarize({ input, ledger }, { auto: true, overflow: false });
    if (isMade(made)) return undefined;
    const left = await this.#measure(input, limits);
    // Between the limit and the window there is the reserve: the step may do without it.
    return left.tokens <= inputWindow(limits) ? undefined : tooLarge(left, limits, made ?? nothingToSummarize);
  }

  /**
   * Makes room after the provider has refused a step as too large.
   *
   * @param also how to drop the refused step, which is not in the transcript any more
   * @returns whether the step can be tried again
   */
  async makeRoomAfterRefusal(step: NextStep, also: Writing): Promise<boolean> {
    if (!this.#settings.auto) return false;
    return isMade(await this.#summarize(step, { auto: true, overflow: true, also }));
  }

  /** What the step is expected to use: its request, and as much answer as it may be told to give. */
  async reserve({ input }: NextStep): Promise<Reserve> {
    const { tokens } = await this.#measure(input, this.#limitsOf(input.model));
    const output = input.settings?.maxOutputTokens ?? 0;
    const used = Object.assign(zeroTokens(), { input: Math.ceil(tokens), output });
    return { tokens: tokens + output, cost: costOf(used, this.#live.context.prices, toModelRef(input.model, "model")) };
  }

  /** Whether the step is known to be too large for its model's window, or not. */
  async fits({ input }: NextStep): Promise<boolean> {
    const limits = this.#limitsOf(input.model);
    return limits === undefined || (await this.#measure(input, limits)).tokens <= inputWindow(limits);
  }

  /** Summarises because somebody wants it. Returns why that failed, or nothing when there is nothing to summarise. */
  compact(step: NextStep): Promise<CompactionResult | MessageError | undefined> {
    return this.#summarize(step, { auto: false, overflow: false });
  }

  get prunesAfterTurns(): boolean {
    return this.#settings.prune === "turn-end";
  }

  /** Clears old tool outputs after a turn. */
  async endTurn(model: LanguageModelV4): Promise<void> {
    await this.#prune(this.#limitsOf(model), undefined);
  }

  #limitsOf(model: LanguageModelV4): ContextLimits | undefined {
    return this.#settings.limitsOf?.(toModelRef(model, "model"));
  }

  async #measure({ model, system, isHidden }: NextStep["input"], limits: ContextLimits | undefined): Promise<ContextMeasure> {
    const { entries, meter } = this.#transcript;
    const overhead = contextOverhead(system, await this.#catalog.entries(), isHidden);
    const newest = this.#newestStep();
    const freed = this.#freed.behind === newest ? this.#freed.tokens : 0;
    return meter.measure(entries, { model: toModelRef(model, "model"), limits, overhead, freed });
  }

  #newestStep(): string | undefined {
    return this.#transcript.entries.findLast(({ info }) => info.role === "assistant")?.info.id;
  }

  /** Clears tool outputs. Returns whether that is enough. */
  async #prune(limits: ContextLimits | undefined, measure: ContextMeasure | undefined): Promise<boolean> {
    const { policy } = this.#settings;
    const { entries, estimate } = this.#transcript;
    const choice = policy.choosePrune(entries, { limits, estimate });
    if (choice.parts.length === 0) return false;
    await this.#clear(choice);
    const behind = this.#newestStep();
    this.#freed = { tokens: choice.frees + (this.#freed.behind === behind ? this.#freed.tokens : 0), behind };
    return measure !== undefined && isPruneEnough(measure, choice, policy.usable(limits));
  }

  async #clear({ parts }: PruneChoice): Promise<void> {
    const { journal, context } = this.#live;
    const now = context.clock.now();
    const cleared = new Map(parts.map((part) => [part.id, deepFreeze(markCompacted(part, now))]));
    this.#transcript.replaceParts(cleared);
    const rows = [...cleared.values()];
    journal.write(rows.map((part) => ({ type: "part.put", part })), rows.map((part) => journal.event("part.updated", { part })));
    await journal.flush();
  }

  /** Summarises all but a tail. When it does not come to that nothing has changed; a failure says why. */
  async #summarize({ input, ledger }: NextStep, { auto, overflow, also = nothing }: Reason): Promise<CompactionResult | MessageError | undefined> {
    const live = this.#live;
    const transcript = this.#transcript;
    const limits = this.#limitsOf(input.model);
    const choice = this.#settings.policy.selectTail(transcript.entries, { limits, estimate: transcript.estimate });
    if (choice === undefined) return undefined;
    const message = compactionMessage(live, { choice, model: toModelRef(input.model, "model"), position: transcript.nextPosition, auto, overflow, toolStates: keptStates(transcript.entries) });
    live.setStatus({ type: "compacting" });
    try {
      const reply = await this.#ask({ choice, message: message.info }, { input, ledger }, { auto, overflow });
      return "code" in reply ? reply : await this.#apply({ message, summary: summaryMessage(reply, ledger.steps) }, choice, also);
    } finally {
      live.setStatus({ type: "busy" });
    }
  }

  /** The reply of the summary call, or why there is none. A request that is too large is made once more, with less in it. */
  async #ask({ choice, message }: { choice: TailChoice; message: UserMessage }, { input, ledger }: NextStep, { auto, overflow }: Reason): Promise<FinishedStep | MessageError> {
    const model = await this.#summaryModel(input);
    if ("code" in model) return model;
    const { model: given, prompt } = this.#settings;
    const means: SummaryMeans = { live: this.#live, transcript: this.#transcript, catalog: this.#catalog, model, isOwn: given === undefined, prompt };
    for (const content of this.#contents(withoutLastPrompts(choice), await this.#room(input, model), overflow)) {
      const refused = this.#whyNotPaid(ledger, { head: content.entries, auto });
      if (refused !== undefined) return refused;
      const reply = await summarize({ content, message, input: { ...input, position: this.#transcript.nextPosition + 1 }, ledger }, means);
      if (input.abortSignal?.aborted === true) return abortError(input.abortSignal.reason);
      if (reply.message.error?.code !== "overflow") return reply.message.error ?? reply;
    }
    return messageError("overflow", "The request for a summary was too large, too.");
  }

  /** Why the ledger does not cover another summary call, which it then counts. */
  #whyNotPaid(ledger: RunLedger, { head, auto }: { head: readonly WithParts[]; auto: boolean }): MessageError | undefined {
    if (auto && !ledger.takeCompaction()) return messageError("overflow", "The history was compacted as often as it may be without a step in between.");
    const lack = ledger.budget?.lacks({ tokens: sumTokens(head, this.#transcript.estimate), cost: 0 }, 1);
    return lack === undefined ? undefined : messageError("budget", `The history was not compacted: the turn reached its budget ${lack}`);
  }

  /** What summary requests may show, one after the other: as it is, unless that is too large already, and with less. */
  #contents(head: readonly WithParts[], room: number, overflow: boolean): SummaryContent[] {
    const { estimate } = this.#transcript;
    const isLong = overflow || sumTokens(head, estimate) > room;
    return (isLong ? [true] : [false, true]).flatMap((shorten) => fitSummary(head, room, { shorten, estimate }) ?? []);
  }

  /** The model that summarises. One that cannot be loaded is no reason to end the turn: there is no summary then. */
  async #summaryModel({ model }: NextStep["input"]): Promise<LanguageModelV4 | MessageError> {
    try {
      return this.#settings.model === undefined ? model : await resolveModel(this.#settings.model);
    } catch (error) {
      return describeError(error);
    }
  }

  /** Estimated tokens that a summary request may have besides system text, tools and its question. */
  async #room(input: NextStep["input"], model: LanguageModelV4): Promise<number> {
    const limits = this.#limitsOf(model);
    const usable = this.#settings.policy.usable(limits);
    if (limits === undefined || usable === undefined) return Number.POSITIVE_INFINITY;
    const { correction } = await this.#measure(input, limits);
    return usable / correction - estimateText(summaryPrompt(this.#transcript.entries, this.#settings.prompt)) - contextOverhead(input.system, await this.#catalog.entries(), input.isHidden);
  }

  /** Stores the compaction and shows the new window, if it is one that helps. */
  async #apply(pair: CompactionPair, { head, kept, tail }: TailChoice, also: Writing): Promise<CompactionResult | MessageError> {
    const transcript = this.#transcript;
    const { entries, estimate } = transcript;
    const window = [pair.message, pair.summary, ...head.filter(({ info }) => kept.includes(info.id)), ...tail];
    if (!isProgress(entries, window, estimate)) return messageError("empty", "The summary was empty, or no shorter than what it stands for.");
    const tokens = { before: sumTokens(entries, estimate), after: sumTokens(window, estimate) };
    const { operations, events } = writeCompaction(pair, this.#live);
    this.#live.journal.write([...also.operations, ...operations], [...also.events, ...events]);
    await this.#live.journal.flush();
    transcript.replace(window);
    return { messageID: pair.message.info.id, tokens };
  }
}

/** The head without the prompts at its end that nothing has come of yet: they stand behind the summary as they are. */
function withoutLastPrompts({ head, kept }: TailChoice): readonly WithParts[] {
  return head.slice(0, head.findLastIndex(({ info }) => !kept.includes(info.id)) + 1);
}

function isMade(result: CompactionResult | MessageError | undefined): result is CompactionResult {
  return result !== undefined && "messageID" in result;
}
