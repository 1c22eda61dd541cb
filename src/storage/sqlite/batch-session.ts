import type { Message, WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { PartsView, SessionView } from "../operations/session-view.ts";
import { AbortRows } from "./abort-rows.ts";
import { ArtifactRows } from "./artifact-rows.ts";
import { AskRows } from "./ask-rows.ts";
import type { BatchTarget, SessionHead } from "./batch-target.ts";
import { MessageRows } from "./message-rows.ts";
import { PartRows } from "./part-rows.ts";
import { encodeLabel, encodeSession, partColumns, partOf, sessionColumns, sessionOf, type Reader } from "./stored-rows.ts";
import { Tombstones } from "./tombstones.ts";

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
  #row: SessionInfo | undefined;

  constructor(reader: Reader, session: SessionHead) {
    this.id = session.id;
    this.parentID = session.parentID;
    this.rootID = session.rootID;
    this.seq = session.seq + 1;
    const tombstones = new Tombstones(reader.connection, { ...session, seq: this.seq });
    this.#target = { ...reader, session, seq: this.seq, tombstones, touched: new Set() };
    this.messages = new MessageRows(this.#target);
    this.asks = new AskRows(this.#target);
    this.artifacts = new ArtifactRows(this.#target);
    this.aborts = new AbortRows(this.#target);
  }

  session(): SessionInfo | undefined {
    const { connection, session } = this.#target;
    const row = connection.first(`SELECT ${sessionColumns} FROM session s WHERE s.key = ?`, [session.key]);
    return row === undefined ? undefined : sessionOf(this.#target, row);
  }

  putSession(session: SessionInfo): void {
    this.#row = session;
  }

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
    const rows = this.#target.connection.rows(`SELECT ${partColumns} FROM part p WHERE p.message = ? ORDER BY p.key`, [key ?? null]);
    const parts = rows.map((row) => partOf(this.#target, owner, row)).filter((part): part is Part => part !== undefined);
    return { info, parts };
  }

  messageAt(position: number): Message | undefined {
    return this.messages.at(position);
  }

  /** Writes what the batch did to the session's own row. Returns its seq. */
  finish(): number {
    const { connection, session, tombstones, touched } = this.#target;
    for (const key of touched) connection.run("UPDATE message SET changed = ? WHERE key = ?", [this.seq, key]);
    tombstones.prune();
    const head = [this.seq, tombstones.count, tombstones.floor];
    // The session that changed last already keeps its place, and its entry in the index.
    const newest = "changed = CASE WHEN changed = (SELECT max(changed) FROM session) THEN changed ELSE (SELECT max(changed) FROM session) + 1 END";
    if (this.#row === undefined) {
      connection.run(`UPDATE session SET seq = ?, tombstones = ?, floor = ?, ${newest} WHERE key = ?`, [...head, session.key]);
    } else {
      connection.run(
        `UPDATE session SET seq = ?, tombstones = ?, floor = ?, ${newest}, stamp = ?, directory = ?, projectID = ?, data = ? WHERE key = ?`,
        [...head, this.seq, encodeLabel(this.#row.directory), encodeLabel(this.#row.projectID), encodeSession(this.#row), session.key],
      );
    }
    return this.seq;
  }
}
