import type { TurnBudget } from "./budget/turn-budget.ts";
import { maxCompactionsInARow } from "./defaults.ts";

/**
 * Counts what a turn spends: steps, summaries, and its budget. Attempts at one step are counted where they are made
 * (`retry/`), misses of a structured answer from the messages. So for any model whatever the number of calls is bounded.
 */
export class RunLedger {
  readonly maxSteps: number;
  /** What it may use besides; without one there is no such limit. */
  readonly budget: TurnBudget | undefined;
  #steps = 0;
  #compactions = 0;
  /** Why the newest step was the last that the budget covers, or the next one is not covered. */
  #lack: string | undefined;

  constructor({ maxSteps, budget }: { maxSteps: number; budget?: TurnBudget | undefined }) {
    this.maxSteps = maxSteps;
    this.budget = budget;
  }

  /** Model steps taken so far. */
  get steps(): number {
    return this.#steps;
  }

  /** The next step is the last one that the turn may take. */
  get nextIsLast(): boolean {
    return this.#steps + 1 >= this.maxSteps || this.#lack !== undefined;
  }

  /** The turn may take no further step. */
  get isSpent(): boolean {
    return this.#steps >= this.maxSteps || this.#lack !== undefined;
  }

  /** The limit of the budget that was reached, if one was. */
  get lack(): string | undefined {
    return this.#lack;
  }

  /** The budget covers one more step at most: there is no further one. */
  exhaust(lack: string): void {
    this.#lack = lack;
  }

  /** Steps that another process took before this one. */
  restore(steps: number): void {
    this.#steps = steps;
  }

  takeStep(): void {
    this.#steps += 1;
  }

  /** The step was no step: its attempt is dropped, and made again. */
  returnStep(): void {
    this.#steps -= 1;
  }

  /** A step has ended well: what was compacted before has served its purpose. */
  stepEndedWell(): void {
    this.#compactions = 0;
  }

  /** Whether another summary may be asked for. More of them, without a step in between, would go on for ever. */
  takeCompaction(): boolean {
    if (this.#compactions >= maxCompactionsInARow) return false;
    this.#compactions += 1;
    return true;
  }
}
