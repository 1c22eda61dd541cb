import type { Part } from "../../message/part.ts";
import { spliceText } from "../operations/splice-text.ts";
import type { PartsView } from "../operations/session-view.ts";
import type { BatchTarget } from "./batch-target.ts";
import type { MessageRows } from "./message-rows.ts";
import { encodeString } from "./row-json.ts";
import { encodePart, partColumns, partOf } from "./stored-rows.ts";

const selectByID = `SELECT ${partColumns} FROM part p WHERE p.message = ? AND p.id = ?`;

/**
 * The parts of one message, while a batch is applied to its session. A text that grows gets a row for each piece, and is
 * written as a whole again when its part is put: it would be rewritten with each addition otherwise.
 */
export class PartRows implements PartsView {
  readonly #target: BatchTarget;
  readonly #messageID: string;
  readonly #messages: MessageRows;

  constructor(target: BatchTarget, messageID: string, messages: MessageRows) {
    this.#target = target;
    this.#messageID = messageID;
    this.#messages = messages;
  }

  get(id: string): Part | undefined {
    this.#target.partWrites.flush();
    const row = this.#target.connection.first(selectByID, [this.#message(), id]);
    const owner = { sessionID: this.#target.session.id, messageID: this.#messageID };
    return row === undefined ? undefined : partOf(this.#target, owner, row);
  }

  put(id: string, part: Part): void {
    const { partWrites, tombstones } = this.#target;
    const message = this.#message();
    const length = "text" in part && typeof part.text === "string" ? part.text.length : null;
    partWrites.add(message, id, length, encodePart(part));
    tombstones.remove("part", this.#messageID, id);
    this.#touch(message);
  }

  append(id: string, offset: number, text: string): boolean {
    const { connection, seq, partWrites } = this.#target;
    const message = this.#message();
    partWrites.flush();
    if (text !== "") {
      const sql = "UPDATE part SET length = length + ?, pieces = 1, stamp = ? WHERE message = ? AND id = ? AND length = ? RETURNING key";
      const row = connection.first(sql, [text.length, seq, message, id, offset]);
      if (row !== undefined) {
        connection.run("INSERT INTO part_piece (part, offset, text) VALUES (?, ?, ?)", [Number(row[0]), offset, encodeString(text)]);
        this.#touch(message);
        return true;
      }
    }
    return this.#splice(id, offset, text);
  }

  delete(id: string): void {
    const message = this.#message();
    this.#target.partWrites.flush();
    if (this.#target.connection.run("DELETE FROM part WHERE message = ? AND id = ?", [message, id]) === 0) return;
    this.#target.tombstones.add("part", { messageID: this.#messageID, id });
    this.#touch(message);
  }

  deleteAll(): void {
    const message = this.#message();
    this.#target.partWrites.flush();
    this.#target.tombstones.addParts(this.#messageID, message);
    this.#target.connection.run("DELETE FROM part WHERE message = ?", [message]);
    this.#touch(message);
  }

  /** Not at the end: the text is written anew. */
  #splice(id: string, offset: number, text: string): boolean {
    const part = this.get(id);
    if (part === undefined || !("text" in part) || typeof part.text !== "string" || offset > part.text.length) return false;
    this.put(id, { ...part, text: spliceText(part.text, offset, text) });
    return true;
  }

  #touch(message: number): void {
    if (!this.#messages.isStamped(message)) this.#target.touched.add(message);
  }

  #message(): number {
    const key = this.#messages.keyOf(this.#messageID);
    if (key === undefined) throw new Error(`Message "${this.#messageID}" has no row that a part could belong to.`);
    return key;
  }
}
