import type { Ask } from "../../message/ask.ts";
import type { RowView } from "../operations/session-view.ts";
import type { BatchTarget } from "./batch-target.ts";
import { askColumns, askOf, encodeAsk } from "./stored-rows.ts";

/** The asks of a session, while a batch is applied to it. */
export class AskRows implements RowView<Ask> {
  readonly #target: BatchTarget;

  constructor(target: BatchTarget) {
    this.#target = target;
  }

  get(id: string): Ask | undefined {
    const { connection, session } = this.#target;
    const row = connection.first(`SELECT ${askColumns} FROM ask a WHERE a.session = ? AND a.id = ?`, [session.key, id]);
    return row === undefined ? undefined : askOf(this.#target, session.id, row);
  }

  put(id: string, ask: Ask): void {
    const { connection, session, seq, tombstones } = this.#target;
    connection.run(
      `INSERT INTO ask (session, id, status, stamp, data) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (session, id) DO UPDATE SET status = excluded.status, stamp = excluded.stamp, data = excluded.data`,
      [session.key, id, ask.status, seq, encodeAsk(ask)],
    );
    tombstones.remove("ask", "", id);
  }

  delete(id: string): void {
    const { connection, session, tombstones } = this.#target;
    const deleted = connection.run("DELETE FROM ask WHERE session = ? AND id = ?", [session.key, id]);
    if (deleted > 0) tombstones.add("ask", { messageID: "", id });
  }
}
