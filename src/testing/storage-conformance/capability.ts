import type { Capability } from "./conformance-case.ts";

/** The optional thing that a test needs. A store without it must say so, and not pass unseen. */
export function capability<T>(value: T | undefined, name: Capability): T {
  if (value !== undefined) return value;
  throw new Error(`This store has no ${name}(). Provide it, or give the reason in options.skip.${name}.`);
}
