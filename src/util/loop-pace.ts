import { nextTurn } from "./next-turn.ts";

/**
 * Lets so many pass in one turn of the event loop, and the rest in the turns that follow, in order. What hundreds of
 * sessions do at the same moment is then no pause for the host's timers and sockets, and a model that never waits cannot
 * keep the event loop from turning.
 */
export class LoopPace {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #scheduled = false;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
    this.#left = perTurn;
  }

  /** A promise only for who has to wait. */
  enter(): Promise<void> | undefined {
    if (!this.#scheduled) this.#schedule();
    if (this.#left > 0) {
      this.#left -= 1;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #schedule(): void {
    this.#scheduled = true;
    nextTurn(() => {
      const passing = this.#waiting.splice(0, this.#perTurn);
      this.#left = this.#perTurn - passing.length;
      this.#scheduled = false;
      if (passing.length > 0) this.#schedule();
      for (const pass of passing) pass();
    });
  }
}
