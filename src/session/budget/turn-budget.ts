import type { Budget } from "../../message/budget.ts";
import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { Tokens } from "../../message/tokens.ts";
import type { Clock } from "../../util/clock.ts";
import { Stopwatch } from "../../util/stopwatch.ts";
import { activeMs } from "./active-time.ts";

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

  /** What the stored messages of the turn used, and the attempts that they took the place of. */
  restore(messages: readonly WithParts<AssistantMessage>[]): void {
    for (const message of messages) {
      const { dropped } = message.info;
      this.settle(message.info);
      if (dropped !== undefined) this.settle(dropped);
      this.watch.add(activeMs(message) + (dropped?.durationMs ?? 0));
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
