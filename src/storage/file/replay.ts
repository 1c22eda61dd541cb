import type { Ask } from "../../message/ask.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { RestoredRows } from "../memory/cold-rows.ts";
import { SessionRecord } from "../memory/session-record.ts";
import { applyOperation } from "../operations/apply-operation.ts";
import { rebuiltSession } from "../rebuilt-session.ts";
import type { AbortRequest, Artifact, Operation } from "../storage.ts";
import { messageRows, rowEntry, type Archive, type ArchiveContent } from "./archive.ts";
import type { Frame } from "./frame.ts";
import type { CommitLine, HeaderLine, IndexLine, LogLine, RowLine, SessionIdentity } from "./log-line.ts";

/** How a replay reaches what is not in the log itself. */
export interface ReplaySource {
  /** Opens an archive. */
  archive(content: Omit<ArchiveContent, "path">, name: string | undefined): Archive;
  /** What an archive holds, found by reading all of it: for a log that lost its index. */
  scanArchive(name: string, seq: number): Omit<ArchiveContent, "path">;
  /** Who the session is, as far as the file's name tells. */
  identity(): SessionIdentity | undefined;
}

/** A session as the lines of its file make it. Damaged lines were left out: what depended on them is left out too. */
export class Replay {
  record: SessionRecord | undefined;
  archive: Archive | undefined;
  /** The last `seq` of a deleted session. */
  tombstone: number | undefined;
  fence = 0;
  readonly #source: ReplaySource;
  #header: HeaderLine | undefined;
  #rows: RestoredRows | undefined;
  #rowsSeq = 0;
  #damaged = 0;

  constructor(source: ReplaySource) {
    this.#source = source;
  }

  /** A line that cannot be read. */
  damage(): void {
    this.#damaged += 1;
  }

  /** Takes the next line. */
  take(frame: Frame): void {
    const line = JSON.parse(frame.json) as LogLine; // a frame's checksum says that we wrote it
    if ("commit" in line) this.#takeCommit(line, frame.seq);
    else if ("row" in line) this.#takeRow(line, frame.seq);
    else if ("index" in line) this.#takeIndex(line);
    else this.#takeHeader(line, frame.seq);
  }

  /** The file's present end. */
  settle(): void {
    if (this.#rows !== undefined) this.#restore(this.#withoutIndex());
    // The line that created it is damaged, and nothing else was written since.
    if (this.record === undefined && this.#header?.deleted === false && this.#damaged > 0) this.#rebuild(this.#damaged);
  }

  /** A commit that was judged and written, of a session that is new to the log. */
  adopt(record: SessionRecord): void {
    this.record = record;
    this.tombstone = undefined;
  }

  #takeHeader(header: HeaderLine, seq: number): void {
    this.#header = { ...header, deleted: header.deleted === true };
    if (header.deleted !== true) return;
    this.record = undefined;
    this.archive = undefined;
    this.tombstone = seq;
  }

  #takeRow(line: RowLine, seq: number): void {
    this.#rows ??= { messages: [], asks: [], aborts: [], artifacts: [], floor: 0 };
    this.#rowsSeq = seq;
    if (line.row === "session") this.#rows.session = rowEntry<SessionInfo>(line);
    else if (line.row === "message") this.#rows.messages.push(messageRows(line));
    else if (line.row === "ask") this.#rows.asks.push(rowEntry<Ask>(line));
    else if (line.row === "abort") this.#rows.aborts.push(rowEntry<AbortRequest>(line));
    else this.#rows.artifacts.push(rowEntry<Artifact>(line));
  }

  #takeIndex({ index }: IndexLine): void {
    this.#rows ??= { messages: [], asks: [], aborts: [], artifacts: [], floor: 0 };
    this.#rows.floor = index.floor;
    this.fence = Math.max(this.fence, index.fence);
    this.#restore({ seq: this.#rowsSeq, messages: index.messages, artifacts: index.artifacts });
  }

  #takeCommit({ commit, fence }: CommitLine, seq: number): void {
    if (this.#rows !== undefined) this.#restore(this.#withoutIndex());
    this.fence = Math.max(this.fence, fence ?? 0);
    const [first] = commit;
    if (first?.type === "session.create") this.#create(first.session);
    const record = this.record ?? this.#rebuild(seq - 1);
    if (record === undefined) return;
    for (const operation of commit) applyKindly(record, operation);
    record.commit(seq);
  }

  #create(session: SessionInfo): void {
    this.adopt(new SessionRecord(session, this.tombstone ?? 0));
    this.record?.putSession(deepFreeze(session));
  }

  #withoutIndex(): Omit<ArchiveContent, "path"> {
    const name = this.#header?.archive;
    const nothing = { seq: this.#rowsSeq, messages: [], artifacts: [] };
    return name === undefined ? nothing : this.#source.scanArchive(name, this.#rowsSeq);
  }

  #restore(content: Omit<ArchiveContent, "path">): void {
    const rows = this.#rows;
    this.#rows = undefined;
    const identity = rows?.session?.row ?? this.#identity();
    if (rows === undefined || identity === undefined) return;
    const record = new SessionRecord(identity, content.seq);
    const restored = new Set(rows.messages.map(({ entry }) => entry.key));
    const messages = content.messages.filter(([id]) => !restored.has(id));
    this.archive = this.#source.archive({ ...content, messages }, this.#header?.archive);
    rows.session ??= { key: identity.id, seq: content.seq, position: 1, row: deepFreeze(rebuiltSession(identity)) };
    record.restore({ ...rows, cold: this.archive });
    this.record = record;
  }

  /** The line that created the session is damaged: what came after it is kept. */
  #rebuild(seq: number): SessionRecord | undefined {
    const identity = this.#identity();
    if (identity === undefined) return undefined;
    this.adopt(new SessionRecord(identity, seq));
    this.record?.restore({
      session: { key: identity.id, seq, position: 1, row: deepFreeze(rebuiltSession(identity)) },
      messages: [],
      asks: [],
      aborts: [],
      artifacts: [],
      floor: 0,
    });
    return this.record;
  }

  #identity(): SessionIdentity | undefined {
    return this.#header ?? this.#source.identity();
  }
}

/** What fails here depended on a line that is damaged. */
function applyKindly(record: SessionRecord, operation: Operation): void {
  try {
    applyOperation(record, operation);
  } catch {
    // The row is left out, as if it was damaged itself.
  }
}
