import type { AssistantMessage, WithParts } from "../message/message.ts";
import type { ModelRef } from "../message/model-ref.ts";
import { cameToEnd } from "../message/project-origin.ts";
import type { Tokens } from "../message/tokens.ts";
import { boundaryOf } from "./compaction-message.ts";
import { inputWindow, type ContextLimits } from "./context-budget.ts";
import { createMessageEstimator, type MessageEstimator } from "./estimate-tokens.ts";

/** What is known about the next request besides its messages. */
export interface NextRequest {
  /** The model that will be called: only its own usage is a measure. */
  model: ModelRef;
  /** Its limits, if they are known. */
  limits?: ContextLimits | undefined;
  /** Estimated tokens of system text and tool definitions: {@link estimateOverhead}. */
  overhead: number;
  /** Estimated tokens that were pruned from the window since its newest step. Default 0. */
  freed?: number | undefined;
}

/** How large the next request will be. */
export interface ContextMeasure {
  /** Tokens; finite and never negative. */
  tokens: number;
  /** Whether a provider's figure is part of it, or all is estimated. */
  source: "usage" | "estimate";
  /** How many real tokens one estimated token is worth, as far as the provider's figures tell: 1 when they do not. */
  correction: number;
}

/** Measures windows, one after the other. Costs what has changed since the last one, and a comparison of what has not. */
export interface ContextMeter {
  measure(window: readonly WithParts[], request: NextRequest): ContextMeasure;
}

/** A request cannot be so many times smaller than its estimate: then the provider counts only a part of it, or nothing. */
const absurdShare = 1 / 8;
/** No tokenizer is so many times off the estimate: a greater difference is about something else, and corrects nothing. */
const maxCorrection = 3;
/** What providers add unseen, in tokens: it must not look like a coarse tokenizer when a request is small. */
const unseenTokens = 2_000;

/**
 * Measures the next request: the newest plausible usage, and the estimate of what came after it; without such a usage the
 * estimate of all of it. A usage counts if the same model reported it for an ordinary step behind the last compaction, and
 * if it is neither larger than the window, for a request that was accepted, nor absurdly small.
 *
 * @param window as `filterCompacted` gives it, oldest message first
 */
export function measureContext(window: readonly WithParts[], request: NextRequest): ContextMeasure {
  return createContextMeter().measure(window, request);
}

/** Makes a meter. It keeps the sums of the window that it saw last; the session that owns the window should own it, too. */
export function createContextMeter(estimate: MessageEstimator = createMessageEstimator()): ContextMeter {
  const seen: WithParts[] = [];
  /** `sums[i]`: estimated tokens of the messages before the i-th. */
  const sums = [0];
  const steps: MeasuredStep[] = [];

  const update = (window: readonly WithParts[]): void => {
    let same = 0;
    while (same < seen.length && seen[same] === window[same]) same += 1;
    seen.length = same;
    sums.length = same + 1;
    while ((steps.at(-1)?.index ?? -1) >= same) steps.pop();
    for (let index = same; index < window.length; index += 1) {
      const entry = window[index];
      if (entry === undefined) continue;
      seen.push(entry);
      sums.push(at(sums, index) + estimate(entry).total);
      if (isMeasured(entry)) steps.push({ entry, index, before: at(sums, index) });
    }
  };

  return {
    measure(window, request) {
      update(window);
      const { anchor, correction } = findUsage(steps, behindBoundary(window), request);
      const total = request.overhead + at(sums, window.length);
      if (anchor === undefined) return { tokens: Math.ceil(total * correction), source: "estimate", correction };
      // The results of its calls stand in the same message, and came after its usage was counted.
      const after = at(sums, window.length) - at(sums, anchor.index + 1) + estimate(anchor.entry).results - (request.freed ?? 0);
      return { tokens: Math.max(0, Math.ceil(contextSize(anchor.entry.info.tokens) + after * correction)), source: "usage", correction };
    },
  };
}

/** A step with a usage. */
interface MeasuredStep {
  entry: WithParts<AssistantMessage>;
  index: number;
  /** Estimated tokens of the messages before it. */
  before: number;
}

interface FoundUsage {
  anchor: MeasuredStep | undefined;
  correction: number;
}

/** Looks for the newest usage that can be believed. On the way another model's usage may at least correct the estimate. */
function findUsage(steps: readonly MeasuredStep[], isNewer: (info: AssistantMessage) => boolean, { model, limits, overhead, freed = 0 }: NextRequest): FoundUsage {
  let correction: number | undefined;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index];
    if (step === undefined || !isNewer(step.entry.info)) continue;
    const estimated = overhead + step.before + freed;
    const sent = sentTokens(step.entry.info.tokens);
    const measured = correctionOf(sent, estimated);
    if (!isSame(step.entry.info, model)) correction ??= measured;
    else if (isPlausible(sent, estimated, limits)) return { anchor: step, correction: measured ?? 1 };
  }
  return { anchor: undefined, correction: correction ?? 1 };
}

/** Tells the steps since the last compaction. Before it the request was another one: steps of the tail measured that. */
function behindBoundary(window: readonly WithParts[]): (info: AssistantMessage) => boolean {
  const boundary = boundaryOf(window);
  if (boundary === undefined) return () => true;
  const { position = Number.POSITIVE_INFINITY } = boundary;
  return (info) => info.position > position;
}

/** Whether it is an ordinary step that came to its end, with figures. Stored rows can be damaged. */
function isMeasured(entry: WithParts): entry is WithParts<AssistantMessage> {
  const { info } = entry;
  return info.role === "assistant" && info.summary !== true && cameToEnd(info) && isSize(info.tokens);
}

function isSize(tokens: Figures | undefined): boolean {
  const size = tokens === undefined ? 0 : contextSize(tokens);
  return size > 0 && Number.isFinite(size);
}

function isPlausible(sent: number, estimated: number, limits: ContextLimits | undefined): boolean {
  return sent > 0 && sent >= estimated * absurdShare && (limits === undefined || sent <= inputWindow(limits));
}

function correctionOf(sent: number, estimated: number): number | undefined {
  const correction = (sent + unseenTokens) / (estimated + unseenTokens);
  return correction <= maxCorrection && correction >= 1 / maxCorrection ? correction : undefined;
}

/** The figures that count; rows of other programs may lack the cache's. */
type Figures = Pick<Tokens, "input" | "output"> & Partial<Pick<Tokens, "cache">>;

/** Tokens of the context after a call: what was sent and what was answered. */
function contextSize(tokens: Figures): number {
  return sentTokens(tokens) + tokens.output;
}

function sentTokens({ input, cache }: Figures): number {
  return cache === undefined ? input : input + cache.read + cache.write;
}

function isSame(info: AssistantMessage, { providerID, modelID }: ModelRef): boolean {
  return info.modelID === modelID && info.providerID === providerID;
}

/** The list has the place: it is as long as the window. */
function at(sums: readonly number[], index: number): number {
  return sums[index] ?? 0;
}
