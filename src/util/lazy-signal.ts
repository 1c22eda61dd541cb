import type { LazyAbortController } from "./lazy-abort-controller.ts";

/**
 * An object with an own `abortSignal`, which is made when somebody reads it.
 *
 * All of them share one accessor. A getter in each object's own literal would give each a hidden class of its own: V8 then
 * finds none of its properties by cache, here, in providers and in tools.
 */
export class LazySignal {
  readonly #controller: LazyAbortController;
  declare readonly abortSignal: AbortSignal;

  constructor(controller: LazyAbortController) {
    this.#controller = controller;
    // An own property: who copies the options of a call with a spread must not lose it.
    Object.defineProperty(this, "abortSignal", property);
  }

  static read(holder: LazySignal): AbortSignal {
    return holder.#controller.signal;
  }
}

const property = {
  enumerable: true,
  configurable: true,
  get(this: LazySignal): AbortSignal {
    return LazySignal.read(this);
  },
};
