/** The part of an `AbortSignal` that waiting needs. */
export interface AbortSource {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Lets many wait for one signal with one listener on it: more than ten are a warning of Node's, and cost more than a set. */
export class AbortRelay implements AbortSource {
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  get aborted(): boolean {
    return this.#signal.aborted;
  }

  get reason(): unknown {
    const reason: unknown = this.#signal.reason;
    return reason;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Takes the listener off the signal. */
  close(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#listeners.clear();
  }

  readonly #onAbort = (): void => {
    for (const listener of [...this.#listeners]) listener();
  };
}
