import type { Damage } from "./damage.ts";

/** Tells listeners of damaged records, of each once. */
export class DamageReports {
  readonly #listeners = new Set<{ listener: (damage: Damage) => void }>();
  readonly #told = new Set<string>();

  /** Returns the way to stop. */
  add(listener: (damage: Damage) => void): () => void {
    // An object of its own for each call: the same function may listen twice, and stop once.
    const entry = { listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  report(damage: Damage): void {
    // What nobody heard of is told again when it is met again.
    if (this.#listeners.size === 0 || this.#told.has(damage.where)) return;
    this.#told.add(damage.where);
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(damage);
      } catch {
        // Reading goes on, whatever a listener makes of it.
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
