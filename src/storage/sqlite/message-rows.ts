import type { Message } from "../../message/message.ts";
import type { RowView } from "../operations/session-view.ts";
import type { BatchTarget, SessionHead } from "./batch-target.ts";
import type { KnownMessage, KnownSession } from "./known-session.ts";
import { encodeMessage, messageColumns, messageOf } from "./stored-rows.ts";

const selectByID = `SELECT ${messageColumns} FROM message m WHERE m.session = ? AND m.id = ?`;
const selectByPosition = `SELECT ${messageColumns} FROM message m WHERE m.session = ? AND m.position = ?`;

/** The messages of a session, while a batch is applied to it. */
export class MessageRows implements RowView<Message> {
  readonly #target: BatchTarget;
  /** What is known from before the batch. It is only read, since the batch may fail. */
  readonly #before: KnownSession;
  readonly #known = new Map<string, KnownMessage | undefined>();
  #lastPosition: number | undefined;
  /** The keys of rows that the batch has written. */
  readonly #written = new Set<number>();

  constructor(target: BatchTarget, before: KnownSession) {
    this.#target = target;
    this.#before = before;
    this.#lastPosition = before.lastPosition;
  }

  /** What is known once the batch is committed. */
  known(session: SessionHead): KnownSession {
    return { session, messages: this.#known, lastPosition: this.#lastPosition };
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
    if (position > this.#last()) return undefined;
    const { connection, session } = this.#target;
    const row = connection.first(selectByPosition, [session.key, position]);
    if (row === undefined) return undefined;
    const message = messageOf(this.#target, session.id, row);
    if (message === undefined) connection.run("UPDATE message SET position = NULL WHERE key = ?", [Number(row[0])]);
    return message;
  }

  put(id: string, message: Message): void {
    const { connection, session, seq, touched, tombstones } = this.#target;
    const known = this.#find(id);
    const state = message.role === "user" ? (message.state ?? null) : null;
    const position = message.position ?? null;
    const data = encodeMessage(message);
    if (position !== null && this.#lastPosition !== undefined) this.#lastPosition = Math.max(this.#lastPosition, position);
    if (known === undefined) {
      const sql = "INSERT INTO message (position, state, stamp, changed, data, session, id) VALUES (?, ?, ?, ?, ?, ?, ?)";
      const key = connection.insert(sql, [position, state, seq, seq, data, session.key, id]);
      this.#known.set(id, { key, message });
      this.#written.add(key);
      tombstones.remove("message", "", id);
      return;
    }
    const { key } = known;
    connection.run("UPDATE message SET position = ?, state = ?, stamp = ?, changed = ?, data = ? WHERE key = ?", [position, state, seq, seq, data, key]);
    this.#known.set(id, { key, message });
    touched.delete(key);
    this.#written.add(key);
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
    const known = this.#before.messages.has(id) ? this.#before.messages.get(id) : this.#read(id);
    this.#known.set(id, known);
    return known;
  }

  #read(id: string): KnownMessage | undefined {
    const { connection, session } = this.#target;
    const row = connection.first(selectByID, [session.key, id]);
    return row === undefined ? undefined : { key: Number(row[0]), message: messageOf(this.#target, session.id, row) };
  }

  #last(): number {
    this.#lastPosition ??= Number(this.#target.connection.first("SELECT ifnull(max(position), -1) FROM message WHERE session = ?", [this.#target.session.key])?.[0]);
    return this.#lastPosition;
  }
}
