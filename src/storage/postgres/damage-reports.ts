import type { Damage } from "../storage.ts";

/** Who wants to hear of damaged records. */
export class DamageReports {
  readonly #listeners = new Set<{ readonly listener: (damage: Damage) => void }>();

  /** Returns the way to stop. */
  add(listener: (damage: Damage) => void): () => void {
    // An object of its own for each call: the same function may listen twice, and stop once.
    const entry = { listener };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  report(damage: Damage): void {
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(damage);
      } catch {
        // The record is set aside all the same: a broken listener must not make the rest unreadable.
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
