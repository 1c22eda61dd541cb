import type { Damage } from "../storage.ts";

/** Tells listeners of damaged records, of each once. */
export class DamageReports {
  readonly #store: string;
  readonly #listeners: ReadonlySet<DamageListener>;
  readonly #reported = new Set<string>();

  constructor(store: string, listeners: ReadonlySet<DamageListener>) {
    this.#store = store;
    this.#listeners = listeners;
  }

  /** @param key the row's, in the table of that name */
  report(record: Damage["record"], key: unknown, known: { sessionID: string; id?: string | undefined }): void {
    const where = `${this.#store}, table "${record}", row ${String(key)}`;
    // Nobody has heard of it: the first listener shall.
    if (this.#listeners.size === 0 || this.#reported.has(where)) return;
    this.#reported.add(where);
    const damage: Damage = { ...known, record, where, reason: "Its data cannot be read, or lacks what such a record needs." };
    // Later: a listener that uses the store must not find itself inside a transaction.
    queueMicrotask(() => {
      for (const listener of [...this.#listeners]) tell(listener, damage);
    });
  }
}

/** An object for each registration: the same function may listen twice, and stop once. */
export interface DamageListener {
  readonly listener: (damage: Damage) => void;
}

function tell({ listener }: DamageListener, damage: Damage): void {
  try {
    listener(damage);
  } catch {
    // Reading goes on: the damage is the store's, the fault is the listener's.
  }
}
