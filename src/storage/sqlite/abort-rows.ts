import type { AbortView } from "../operations/session-view.ts";
import type { AbortRequest } from "../storage.ts";
import type { BatchTarget } from "./batch-target.ts";
import { abortColumns, abortOf, encodeAbort } from "./stored-rows.ts";

/** The abort requests of a session, while a batch is applied to it. */
export class AbortRows implements AbortView {
  readonly #target: BatchTarget;

  constructor(target: BatchTarget) {
    this.#target = target;
  }

  get(id: string): AbortRequest | undefined {
    const { connection, session } = this.#target;
    const row = connection.first(`SELECT ${abortColumns} FROM abort b WHERE b.session = ? AND b.id = ?`, [session.key, id]);
    return row === undefined ? undefined : abortOf(this.#target, session.id, row);
  }

  isKnown(id: string): boolean {
    return this.get(id) !== undefined || this.#target.tombstones.has("abort", id);
  }

  put(id: string, abort: AbortRequest): void {
    const { connection, session, tombstones } = this.#target;
    connection.run("INSERT INTO abort (session, id, data) VALUES (?, ?, ?) ON CONFLICT (session, id) DO UPDATE SET data = excluded.data", [
      session.key,
      id,
      encodeAbort(abort),
    ]);
    tombstones.remove("abort", "", id);
  }

  /** Its tombstone tells a repeated request from a new one. */
  delete(id: string): void {
    const { connection, session, tombstones } = this.#target;
    const deleted = connection.run("DELETE FROM abort WHERE session = ? AND id = ?", [session.key, id]);
    if (deleted > 0) tombstones.add("abort", { messageID: "", id });
  }
}
