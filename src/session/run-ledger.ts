/**
 * Counts what a turn spends. Every edge to another model call takes from it, so that for any model whatever the number of
 * calls is bounded by the limits.
 */
export class RunLedger {
  readonly maxSteps: number;
  #steps = 0;

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

  /** Takes one step. False when there is none left. */
  takeStep(): boolean {
    if (this.#steps >= this.maxSteps) return false;
    this.#steps += 1;
    return true;
  }
}
