import type { Message, WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { PartsView, SessionView } from "../operations/session-view.ts";
import { AbortRows } from "./abort-rows.ts";
import { ArtifactRows } from "./artifact-rows.ts";
import { AskRows } from "./ask-rows.ts";
import type { BatchTarget } from "./batch-target.ts";
import type { KnownSession } from "./known-session.ts";
import { MessageRows } from "./message-rows.ts";
import { PartRows } from "./part-rows.ts";
import { PartWrites } from "./part-writes.ts";
import { partColumns, partOf, sessionColumns, sessionOf, type Reader } from "./stored-rows.ts";
import { Tombstones } from "./tombstones.ts";

const selectSession = `SELECT ${sessionColumns} FROM session s WHERE s.key = ?`;
const selectParts = `SELECT ${partColumns} FROM part p WHERE p.message = ? ORDER BY p.key`;

/** One session while a batch is applied to it, inside a transaction: what is written can be read at once. */
export class BatchSession implements SessionView {
  readonly id: string;
  readonly parentID: string | undefined;
  readonly rootID: string;
  readonly seq: number;
  readonly messages: MessageRows;
  readonly asks: AskRows;
  readonly artifacts: ArtifactRows;
  readonly aborts: AbortRows;
  readonly #target: BatchTarget;
  readonly #parts = new Map<string, PartRows>();

  /** @param known the session as it was before its seq was raised */
  constructor({ connection, damage }: Reader, known: KnownSession) {
    const { session } = known;
    this.id = session.id;
    this.parentID = session.parentID;
    this.rootID = session.rootID;
    this.seq = session.seq + 1;
    const { seq } = this;
    const tombstones = new Tombstones(connection, session, seq);
    const partWrites = new PartWrites(connection, seq);
    this.#target = { connection, damage, session, seq, tombstones, partWrites, touched: new Set() };
    this.messages = new MessageRows(this.#target, known);
    this.asks = new AskRows(this.#target);
    this.artifacts = new ArtifactRows(this.#target);
    this.aborts = new AbortRows(this.#target);
  }

  session(): SessionInfo | undefined {
    const { connection, session } = this.#target;
    const columns = connection.first(selectSession, [session.key]);
    if (columns === undefined) return undefined;
    const row = sessionOf(this.#target, columns);
    // The batch has raised it already, and may be refused.
    row.seq = session.seq;
    return row;
  }

  /** The row was written when the batch began. */
  putSession(): void {}

  parts(messageID: string): PartsView {
    let parts = this.#parts.get(messageID);
    if (parts === undefined) {
      parts = new PartRows(this.#target, messageID, this.messages);
      this.#parts.set(messageID, parts);
    }
    return parts;
  }

  withParts<M extends Message>(info: M): WithParts<M> {
    const key = this.messages.keyOf(info.id);
    const owner = { sessionID: this.id, messageID: info.id };
    this.#target.partWrites.flush();
    const rows = this.#target.connection.rows(selectParts, [key ?? null]);
    const parts = rows.map((row) => partOf(this.#target, owner, row)).filter((part): part is Part => part !== undefined);
    return { info, parts };
  }

  messageAt(position: number): Message | undefined {
    return this.messages.at(position);
  }

  /** Writes what still waits. Returns what is known of the session then. */
  finish(): KnownSession {
    const { connection, session, seq, partWrites, tombstones, touched } = this.#target;
    partWrites.flush();
    for (const key of touched) connection.run("UPDATE message SET changed = ? WHERE key = ?", [seq, key]);
    tombstones.prune();
    const { count, floor } = tombstones;
    if (count !== session.tombstones || floor !== session.floor) connection.run("UPDATE session SET tombstones = ?, floor = ? WHERE key = ?", [count, floor, session.key]);
    const { key, id, parentID, rootID } = session;
    return this.messages.known({ key, id, parentID, rootID, seq, tombstones: count, floor });
  }
}
