import { maxCompactionsInARow } from "./defaults.ts";

/**
 * Counts what a turn spends. Every edge to another model call takes from it, so that for any model whatever the number of
 * calls is bounded by the limits.
 */
export class RunLedger {
  readonly maxSteps: number;
  #steps = 0;
  #compactions = 0;

  constructor(limits: { maxSteps: number }) {
    this.maxSteps = limits.maxSteps;
  }

  /** Model steps taken so far. */
  get steps(): number {
    return this.#steps;
  }

  /** The next step is the last one that the turn may take. */
  get nextIsLast(): boolean {
    return this.#steps + 1 >= this.maxSteps;
  }

  /** The turn may take no further step. */
  get isSpent(): boolean {
    return this.#steps >= this.maxSteps;
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
