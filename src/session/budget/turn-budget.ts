import type { Budget } from "../../message/budget.ts";
import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { Tokens } from "../../message/tokens.ts";
import type { Clock } from "../../util/clock.ts";
import { Stopwatch } from "../../util/stopwatch.ts";

/** What a model call is expected to use at most, as far as that is known. */
export interface Reserve {
  tokens: number;
  cost: number;
}

/** Counts what a turn uses of its budget. A call is made only where the budget covers what is reserved for it. */
export class TurnBudget {
  readonly watch: Stopwatch;
  readonly #limits: Budget;
  #tokens = 0;
  #cost = 0;
  /** When the newest step began, and how long the one before took: the next may take as long. */
  #stepFrom = 0;
  #stepMs = 0;

  constructor(limits: Budget, clock: Clock) {
    this.#limits = limits;
    this.watch = new Stopwatch(clock);
  }

  /** A model call has ended, well or not. */
  settle({ tokens, cost }: Pick<AssistantMessage, "tokens" | "cost">): void {
    this.#tokens += totalTokens(tokens);
    this.#cost += cost;
  }

  /** What the stored messages of the turn used: of attempts that were dropped nothing is known any more. */
  restore(messages: readonly WithParts<AssistantMessage>[]): void {
    for (const { info, parts } of messages) {
      this.settle(info);
      this.watch.add(activeMs(info, parts));
    }
  }

  /** A step is about to be made. */
  beginStep(): void {
    const elapsed = this.watch.elapsedMs;
    this.#stepMs = elapsed - this.#stepFrom;
    this.#stepFrom = elapsed;
  }

  /** Why the budget does not cover so many such calls; nothing when it does. */
  lacks({ tokens, cost }: Reserve, calls: number): string | undefined {
    const { tokens: maxTokens = Number.POSITIVE_INFINITY, cost: maxCost = Number.POSITIVE_INFINITY, durationMs = Number.POSITIVE_INFINITY } = this.#limits;
    const elapsed = this.watch.elapsedMs;
    if (this.#tokens + calls * tokens > maxTokens) return `of ${maxTokens} tokens (budget.tokens): ${this.#tokens} are used, and the next call needs about ${Math.ceil(tokens)}.`;
    if (this.#cost + calls * cost > maxCost) return `of a cost of ${maxCost} (budget.cost): ${this.#cost} is used, and the next call costs about ${cost}.`;
    if (elapsed >= durationMs || elapsed + (calls - 1) * this.#stepMs > durationMs) return `of ${durationMs} ms (budget.durationMs): it was at work for ${Math.round(elapsed)} ms.`;
    return undefined;
  }
}

function totalTokens({ input, output, reasoning, cache }: Tokens): number {
  return input + output + reasoning + cache.read + cache.write;
}

/** How long a stored step was at work, as far as its row tells: with calls only their own time, since one may have waited for a person. */
function activeMs({ time }: AssistantMessage, parts: readonly Part[]): number {
  const calls = parts.filter((part) => part.type === "tool");
  if (calls.length === 0) return Math.max(0, (time.completed ?? time.created) - time.created);
  return calls.reduce((sum, { state }) => sum + ("time" in state && "end" in state.time ? Math.max(0, state.time.end - state.time.start) : 0), 0);
}
