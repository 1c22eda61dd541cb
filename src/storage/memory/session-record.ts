import type { Ask } from "../../message/ask.ts";
import type { Message, UserMessage, WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { AbortRequest, Artifact, Change } from "../storage.ts";
import type { SessionView } from "../operations/session-view.ts";
import { ChangeLog } from "./change-log.ts";
import type { Entry } from "./table.ts";
import { Table } from "./table.ts";
import { TextTable } from "./text-table.ts";
import { Transcript } from "./transcript.ts";

/** One session with all its rows. Writes to its tables are one batch until `commit` or `rollback`. */
export class SessionRecord implements SessionView {
  readonly id: string;
  readonly parentID: string | undefined;
  readonly rootID: string;
  readonly info = new Table<SessionInfo>((entry) => this.#sessionChange(entry));
  readonly messages = new Table<Message>(messageChange, (messageID) => {
    this.#parts.delete(messageID);
    this.transcript.forget(messageID);
  });
  readonly asks = new Table<Ask>(askChange);
  readonly artifacts = new TextTable<Artifact>(noChange, (artifact, text) => ({ ...artifact, text, size: text.length }));
  readonly aborts = new Table<AbortRequest>(noChange);
  readonly transcript = new Transcript();
  readonly log: ChangeLog;
  readonly #parts = new Map<string, TextTable<Part>>();
  /** The part tables that the running batch has asked for: it need not look at all of them. */
  readonly #openParts = new Map<string, TextTable<Part>>();
  readonly #queued = new Set<Entry<Message>>();
  #seq: number;
  /** Which commit of the whole store was the newest to this session. */
  changed = 0;

  /** @param seq where the session's `seq` goes on from: that of its tombstone, or 0. */
  constructor(session: SessionInfo, seq: number) {
    this.id = session.id;
    this.parentID = session.parentID;
    this.rootID = session.rootID;
    this.#seq = seq;
    this.log = new ChangeLog(seq);
    this.info.put(session.id, session);
  }

  get seq(): number {
    return this.#seq;
  }

  /** The session's row with its current `seq`, which it does not get with every commit. */
  session(): SessionInfo | undefined {
    const session = this.info.get(this.id);
    return session === undefined ? undefined : Object.freeze({ ...session, seq: this.#seq });
  }

  putSession(session: SessionInfo): void {
    this.info.put(this.id, session);
  }

  /** The parts of a message, to be written. */
  parts(messageID: string): TextTable<Part> {
    const parts = this.#parts.get(messageID) ?? new TextTable<Part>((entry) => partChange(messageID, entry));
    this.#parts.set(messageID, parts);
    this.#openParts.set(messageID, parts);
    return parts;
  }

  withParts<M extends Message>(info: M): WithParts<M> {
    return { info, parts: [...(this.#parts.get(info.id)?.rows() ?? [])] };
  }

  /** In order of admission. */
  queuedPrompts(): WithParts<UserMessage>[] {
    const queued = [...this.#queued].sort((a, b) => a.position - b.position);
    return queued.flatMap(({ row }) => (row?.role === "user" ? [this.withParts(row)] : []));
  }

  /** Who stands at a position of the transcript, as the running batch sees it. */
  messageAt(position: number): Message | undefined {
    for (const message of this.messages.stagedRows()) if (message.position === position) return message;
    const placed = this.transcript.at(position);
    return placed === undefined || this.messages.isStaged(placed.messageID) ? undefined : this.messages.get(placed.messageID);
  }

  /** Makes the batch a fact. */
  commit(): void {
    this.#seq += 1;
    this.info.commit(this.#seq, this.log);
    this.messages.commit(this.#seq, this.log, this.#onMessage);
    this.#openParts.forEach((parts) => {
      parts.commit(this.#seq, this.log);
    });
    this.#openParts.clear();
    this.asks.commit(this.#seq, this.log);
    this.artifacts.commit(this.#seq, this.log);
    this.aborts.commit(this.#seq, this.log);
    this.log.sweepIfDue();
  }

  rollback(): void {
    for (const table of [this.info, this.messages, this.asks, this.artifacts, this.aborts, ...this.#openParts.values()]) table.rollback();
    this.#openParts.clear();
  }

  readonly #onMessage = (entry: Entry<Message>, previous: Message | undefined): void => {
    this.transcript.update(entry.key, previous, entry.row);
    if (entry.row?.role === "user" && entry.row.state === "queued") this.#queued.add(entry);
    else this.#queued.delete(entry);
  };

  #sessionChange({ seq }: Entry<SessionInfo>): Change | undefined {
    const session = this.session();
    return session === undefined ? undefined : { seq, type: "session", session };
  }
}

function messageChange({ key, row, seq }: Entry<Message>): Change {
  return row === undefined ? { seq, type: "message.deleted", messageID: key } : { seq, type: "message", message: row };
}

function partChange(messageID: string, { key, row, seq, position }: Entry<Part>): Change {
  return row === undefined ? { seq, type: "part.deleted", messageID, partID: key } : { seq, type: "part", part: row, position };
}

function askChange({ key, row, seq }: Entry<Ask>): Change {
  return row === undefined ? { seq, type: "ask.deleted", askID: key } : { seq, type: "ask", ask: row };
}

/** Artifacts and abort requests are asked for by id, and not part of the feed. */
function noChange(): undefined {
  return undefined;
}
