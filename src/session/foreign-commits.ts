import type { LiveSession } from "./live-session.ts";

/** Tells that somebody may have written to a session: by the store's watch, or else by looking every `leases.pollMs`. */
export class ForeignCommits {
  /** Nobody has looked into the store since then. */
  mayBe = false;
  readonly #live: LiveSession;
  readonly #wake: () => void;
  #stopWatching: (() => void) | undefined;
  #timer: unknown;
  #closed = false;

  constructor(live: LiveSession, wake: () => void) {
    this.#live = live;
    this.#wake = wake;
  }

  /** @throws {StorageError} the store cannot be watched */
  async watch(): Promise<void> {
    this.#stopWatching = await this.#live.context.storage.watch?.(this.#live.info.id, this.#note);
    if (this.#closed) this.#stopWatching?.();
  }

  /** Sees to it that a commit is noticed, while nobody looks. */
  expect(): void {
    const { clock, leases } = this.#live.context;
    if (this.#stopWatching !== undefined) return;
    this.#timer ??= clock.setTimeout(() => {
      this.#timer = undefined;
      this.#note();
    }, leases.pollMs);
  }

  /** Also while the store is still asked to watch. */
  close(): void {
    this.#closed = true;
    this.#stopWatching?.();
    this.#live.context.clock.clearTimeout(this.#timer);
  }

  readonly #note = (): void => {
    this.mayBe = true;
    this.#wake();
  };
}
