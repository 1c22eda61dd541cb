/** An abort controller that is made when its signal is first asked for: not everybody looks, and one costs some 10 µs. */
export class LazyAbortController {
  #controller: AbortController | undefined;
  /** Set once it is aborted. */
  aborted: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted !== undefined) this.#controller.abort(this.aborted.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.aborted ??= { reason };
    this.#controller?.abort(reason);
  }
}
