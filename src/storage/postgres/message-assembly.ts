import type { Message, WithParts } from "../../message/message.ts";
import type { AnswerRow } from "./postgres-client.ts";
import type { RowReader } from "./row-reader.ts";

/** Messages with their parts, from rows in order. */
export class MessageAssembly<M extends Message> {
  readonly messages: WithParts<M>[] = [];
  readonly #byKey = new Map<string, WithParts<M>>();
  readonly #reader: RowReader;
  readonly #sessionID: string;

  constructor(reader: RowReader, sessionID: string) {
    this.#reader = reader;
    this.#sessionID = sessionID;
  }

  addMessage(row: AnswerRow): void {
    const info = this.#reader.read("message", this.#sessionID, row);
    if (info === undefined) return;
    // The query that the row comes from asks for messages of this kind.
    const message = { info: info as M, parts: [] };
    this.#byKey.set(String(row["id"]), message);
    this.messages.push(message);
  }

  /** A part of a damaged message goes with it. */
  addPart(row: AnswerRow): void {
    const message = this.#byKey.get(String(row["message_id"]));
    if (message === undefined) return;
    const part = this.#reader.read("part", this.#sessionID, row);
    if (part !== undefined) message.parts.push(part);
  }
}
