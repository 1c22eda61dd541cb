import type { Damage } from "../damage.ts";
import type { DamageReports } from "../damage-reports.ts";

/** Tells of rows that cannot be read. */
export class RowDamage {
  readonly #store: string;
  readonly #reports: DamageReports;

  constructor(store: string, reports: DamageReports) {
    this.#store = store;
    this.#reports = reports;
  }

  /** @param key the row's, in the table of that name */
  report(record: Damage["record"], key: unknown, known: { sessionID: string; id?: string | undefined }): void {
    const where = `${this.#store}, table "${record}", row ${String(key)}`;
    // Later: a listener that uses the store must not find itself inside a transaction.
    queueMicrotask(() => {
      this.#reports.report({ ...known, record, where, reason: "Its data cannot be read, or lacks what such a record needs." });
    });
  }
}
