import type { Ask } from "../../message/ask.ts";
import type { Message, UserMessage, WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { AbortRequest, Artifact, Change, ChangePage } from "../storage.ts";
import type { SessionView } from "../operations/session-view.ts";
import { ChangeLog, type LogItem } from "./change-log.ts";
import type { ColdRows, MessageRows, RestoredRows } from "./cold-rows.ts";
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
  readonly messages = new Table<Message>(
    messageChange,
    (messageID) => {
      this.#parts.delete(messageID);
      this.transcript.forget(messageID);
    },
    (messageID) => this.#thawMessage(messageID),
  );
  readonly asks = new Table<Ask>(askChange);
  readonly artifacts = new TextTable<Artifact>(
    noChange,
    (artifact, text) => ({ ...artifact, text, size: text.length }),
    (artifactID) => this.#thawArtifact(artifactID),
  );
  readonly aborts = new Table<AbortRequest>(noChange);
  readonly transcript = new Transcript();
  readonly log: ChangeLog;
  readonly #parts = new Map<string, TextTable<Part>>();
  /** The part tables that the running batch has asked for: it need not look at all of them. */
  readonly #openParts = new Map<string, TextTable<Part>>();
  readonly #queued = new Set<Entry<Message>>();
  #cold: ColdRows | undefined;
  /** Whether the log points at the cold rows too. */
  #coldLogged = false;
  #seq: number;
  /** Which commit of the whole store was the newest to this session. */
  changed = 0;

  /** @param seq where the session's `seq` goes on from: that of its tombstone, or 0. */
  constructor(identity: Pick<SessionInfo, "id" | "parentID" | "rootID">, seq: number) {
    this.id = identity.id;
    this.parentID = identity.parentID;
    this.rootID = identity.rootID;
    this.#seq = seq;
    this.log = new ChangeLog(seq);
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

  /** What changed after `after`. */
  changes(after: number, limit: number): ChangePage {
    if (this.#cold !== undefined && after < this.#cold.seq) this.#logColdRows(this.#cold);
    return this.log.read(this.#seq, after, limit);
  }

  /** Makes the batch a fact. */
  commit(seq = this.#seq + 1): void {
    this.#seq = seq;
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

  /** Takes rows over that were kept elsewhere, in a record that has none yet. */
  restore(rows: RestoredRows): void {
    this.#cold = rows.cold;
    const items: LogItem[] = [];
    if (rows.session !== undefined) {
      this.info.restore(rows.session);
      items.push({ seq: rows.session.seq, subject: rows.session, table: this.info });
    }
    for (const { messageID, position } of rows.cold?.places() ?? []) this.transcript.place(messageID, position);
    for (const message of rows.messages) {
      this.#restoreMessage(message);
      items.push(...this.#itemsOf(message.entry.key, Infinity));
    }
    for (const ask of rows.asks) {
      this.asks.restore(ask);
      items.push({ seq: ask.seq, subject: ask, table: this.asks });
    }
    for (const abort of rows.aborts) this.aborts.restore(abort);
    for (const artifact of rows.artifacts) this.artifacts.restore(artifact);
    this.log.restore(items, rows.floor);
  }

  /** The parts of a message with their tombstones, in order of creation. */
  partEntries(messageID: string): Entry<Part>[] {
    return [...(this.#parts.get(messageID)?.entries() ?? [])];
  }

  #thawMessage(messageID: string): Entry<Message> | undefined {
    const message = this.#cold?.message(messageID);
    if (message !== undefined) this.#restoreMessage(message);
    return message?.entry;
  }

  #thawArtifact(artifactID: string): Entry<Artifact> | undefined {
    const artifact = this.#cold?.artifact(artifactID);
    if (artifact !== undefined) this.artifacts.restore(artifact);
    return artifact;
  }

  #restoreMessage({ entry, place, parts }: MessageRows): void {
    this.messages.restore(entry);
    const table = new TextTable<Part>((part) => partChange(entry.key, part));
    this.#parts.set(entry.key, table);
    for (const part of parts) table.restore(part);
    if (entry.row !== undefined) this.#onMessage(entry, undefined);
    else if (place !== undefined) this.transcript.remember(entry.key, place);
  }

  /** A message's own item and those of its parts, as far as they were not written after `seq`. */
  #itemsOf(messageID: string, seq: number): LogItem[] {
    const entry = this.messages.entry(messageID);
    const table = this.#parts.get(messageID);
    const items: LogItem[] = entry === undefined ? [] : [{ seq: entry.seq, subject: entry, table: this.messages }];
    for (const part of table?.entries() ?? []) if (table !== undefined) items.push({ seq: part.seq, subject: part, table });
    return items.filter((item) => item.seq <= seq);
  }

  #logColdRows(cold: ColdRows): void {
    if (this.#coldLogged) return;
    this.#coldLogged = true;
    this.log.restore(cold.places().flatMap(({ messageID }) => this.#itemsOf(messageID, cold.seq)));
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
