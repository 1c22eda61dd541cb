import type { LazyAbortController } from "./lazy-abort-controller.ts";

const controllerKey: unique symbol = Symbol("throughline.controller");

/**
 * An object with an own `abortSignal`, which is made when somebody reads it.
 *
 * All of them share one accessor. A getter in each object's own literal would give each a hidden class of its own: V8 then
 * finds none of its properties by cache, here, in providers and in tools. It behaves like a plain property: it can be
 * copied, inherited, seen through a proxy and assigned.
 */
export class LazySignal {
  declare readonly [controllerKey]: LazyAbortController;
  declare abortSignal: AbortSignal;

  constructor(controller: LazyAbortController) {
    // Hidden from who lists or copies the properties.
    Object.defineProperty(this, controllerKey, { value: controller });
    // An own property: who copies the options of a call with a spread must not lose it.
    Object.defineProperty(this, "abortSignal", property);
  }
}

const property = {
  enumerable: true,
  configurable: true,
  get(this: LazySignal): AbortSignal {
    return this[controllerKey].signal;
  },
  set(this: LazySignal, value: AbortSignal): void {
    redefine(this, "abortSignal", value);
  },
};

/** What an assignment to a shared accessor means: from now on the object has a value of its own. */
export function redefine(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
