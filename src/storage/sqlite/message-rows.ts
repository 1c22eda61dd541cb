import type { Message } from "../../message/message.ts";
import type { RowView } from "../operations/session-view.ts";
import type { BatchTarget } from "./batch-target.ts";
import { encodeMessage, messageColumns, messageOf } from "./stored-rows.ts";

/** A row that the batch has looked at. */
interface KnownMessage {
  key: number;
  /** Absent in a damaged row: it counts as absent, and the next put writes over it. */
  message: Message | undefined;
}

/** The messages of a session, while a batch is applied to it. */
export class MessageRows implements RowView<Message> {
  readonly #target: BatchTarget;
  readonly #known = new Map<string, KnownMessage | undefined>();
  /** The keys of rows that the batch has written. */
  readonly #written = new Set<number>();

  constructor(target: BatchTarget) {
    this.#target = target;
  }

  get(id: string): Message | undefined {
    return this.#find(id)?.message;
  }

  keyOf(id: string): number | undefined {
    return this.#find(id)?.key;
  }

  /** Whether the row has the batch's stamp already. */
  isStamped(key: number): boolean {
    return this.#written.has(key);
  }

  /** Who stands at a position. A damaged message that does gives it up: nobody sees it, and nobody could stand there. */
  at(position: number): Message | undefined {
    const { connection, session } = this.#target;
    const row = connection.first(`SELECT ${messageColumns} FROM message m WHERE m.session = ? AND m.position = ?`, [session.key, position]);
    if (row === undefined) return undefined;
    const message = messageOf(this.#target, session.id, row);
    if (message === undefined) connection.run("UPDATE message SET position = NULL WHERE key = ?", [Number(row[0])]);
    return message;
  }

  put(id: string, message: Message): void {
    const { connection, session, seq, touched, tombstones } = this.#target;
    const known = this.#find(id);
    const state = message.role === "user" ? (message.state ?? null) : null;
    const values = [message.position ?? null, state, seq, seq, encodeMessage(message)];
    if (known === undefined) {
      const sql = "INSERT INTO message (position, state, stamp, changed, data, session, id) VALUES (?, ?, ?, ?, ?, ?, ?)";
      const key = connection.insert(sql, [...values, session.key, id]);
      this.#known.set(id, { key, message });
      this.#written.add(key);
      tombstones.remove("message", "", id);
      return;
    }
    connection.run("UPDATE message SET position = ?, state = ?, stamp = ?, changed = ?, data = ? WHERE key = ?", [...values, known.key]);
    known.message = message;
    touched.delete(known.key);
    this.#written.add(known.key);
  }

  delete(id: string): void {
    const known = this.#find(id);
    if (known === undefined) return;
    this.#target.tombstones.add("message", { messageID: "", id, position: known.message?.position });
    this.#target.connection.run("DELETE FROM message WHERE key = ?", [known.key]);
    this.#known.set(id, undefined);
    this.#target.touched.delete(known.key);
  }

  #find(id: string): KnownMessage | undefined {
    if (this.#known.has(id)) return this.#known.get(id);
    const { connection, session } = this.#target;
    const row = connection.first(`SELECT ${messageColumns} FROM message m WHERE m.session = ? AND m.id = ?`, [session.key, id]);
    const known = row === undefined ? undefined : { key: Number(row[0]), message: messageOf(this.#target, session.id, row) };
    this.#known.set(id, known);
    return known;
  }
}
