import type { Ask } from "../../message/ask.ts";
import type { Message, WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { PartsView, SessionView } from "../operations/session-view.ts";
import type { AbortRequest, Artifact } from "../storage.ts";
import { StagedRows, StagedTexts, type StoredRow } from "./staged-rows.ts";

/** What a batch is judged on: the rows that it touches, as they were when the session had this `seq`. */
export interface SessionSnapshot {
  session: SessionInfo;
  messages: ReadonlyMap<string, StoredRow<Message>>;
  /** By message. */
  parts: ReadonlyMap<string, ReadonlyMap<string, StoredRow<Part>>>;
  asks: ReadonlyMap<string, StoredRow<Ask>>;
  artifacts: ReadonlyMap<string, StoredRow<Artifact>>;
  aborts: ReadonlyMap<string, StoredRow<AbortRequest>>;
}

/** One session while a batch is applied to it: nothing is written before the whole batch was judged. */
export class SessionDraft implements SessionView {
  readonly id: string;
  readonly parentID: string | undefined;
  readonly rootID: string;
  readonly messages: StagedRows<Message>;
  readonly asks: StagedRows<Ask>;
  readonly artifacts: StagedTexts<Artifact>;
  readonly aborts: StagedRows<AbortRequest>;
  /** The parts that the batch writes, by message. */
  readonly openParts = new Map<string, DraftParts>();
  /** The session's row, when the batch writes it. */
  putRow: SessionInfo | undefined;
  readonly #snapshot: SessionSnapshot;

  constructor(snapshot: SessionSnapshot) {
    this.#snapshot = snapshot;
    this.id = snapshot.session.id;
    this.parentID = snapshot.session.parentID;
    this.rootID = snapshot.session.rootID;
    this.messages = new StagedRows(snapshot.messages);
    this.asks = new StagedRows(snapshot.asks);
    this.artifacts = new StagedTexts(snapshot.artifacts, (artifact, text) => ({ ...artifact, text, size: text.length }));
    this.aborts = new StagedRows(snapshot.aborts);
  }

  session(): SessionInfo {
    const { seq } = this.#snapshot.session;
    return this.putRow === undefined ? this.#snapshot.session : { ...this.putRow, seq };
  }

  putSession(session: SessionInfo): void {
    this.putRow = session;
  }

  parts(messageID: string): DraftParts {
    const open = this.openParts.get(messageID) ?? new DraftParts(this.#snapshot.parts.get(messageID) ?? new Map());
    this.openParts.set(messageID, open);
    return open;
  }

  withParts<M extends Message>(info: M): WithParts<M> {
    return { info, parts: this.parts(info.id).rows() };
  }

  messageAt(position: number): Message | undefined {
    for (const message of this.messages.staged.values()) if (message?.position === position) return message;
    for (const [id, stored] of this.messages.stored) {
      if (stored.row?.position === position && !this.messages.staged.has(id)) return stored.row;
    }
    return undefined;
  }
}

/** The parts of one message while a batch is applied to it. */
export class DraftParts extends StagedTexts<Part> implements PartsView {
  constructor(stored: ReadonlyMap<string, StoredRow<Part>>) {
    // Only a part with a text is ever given another one.
    super(stored, (part, text) => ({ ...part, text }) as Part);
  }

  /** In order of creation. One that comes back after its deletion is a new one. */
  rows(): Part[] {
    const stored = [...this.stored].filter(([, { deleted }]) => !deleted).sort(([, a], [, b]) => (a.position ?? 0) - (b.position ?? 0));
    return [...new Set([...stored.map(([id]) => id), ...this.staged.keys()])].flatMap((id) => this.get(id) ?? []);
  }

  /** The message goes with all its parts, whichever were read: it is their tombstone too. */
  deleteAll(): void {
    this.staged.clear();
    this.tails.clear();
  }
}
