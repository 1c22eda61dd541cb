import { fstatSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "../memory/session-record.ts";
import { Archive } from "./archive.ts";
import type { DamageReports } from "../damage-reports.ts";
import { appendBytes, hasCode, isSameFile, readRange, replaceFile, versionOf, withFile, type FileVersion } from "./durable-file.ts";
import { sessionIDOf } from "./file-name.ts";
import { encodeFrame, scanFrames, type Piece } from "./frame.ts";
import type { SessionIdentity } from "./log-line.ts";
import { Replay } from "./replay.ts";
import { scanArchive } from "./scan-archive.ts";
import type { StorePaths } from "./store-paths.ts";
import { errorMessage } from "../../util/error-message.ts";

/** What a log needs of its store. */
export interface LogContext {
  paths: StorePaths;
  damage: DamageReports;
  /** Whether nobody writes at this moment. */
  isQuiet(): boolean;
}

/** A line to be written. */
export interface NewLine {
  seq: number;
  json: string;
  /** It has the session's newest row, or the end of the session. */
  session?: "row" | "none" | undefined;
}

/** A session's file, and the session that its lines make, as far as they were read. */
export class SessionLog {
  readonly sessionID: string | undefined;
  readonly name: string;
  readonly path: string;
  /** Which commit of the whole store was the newest to this session. */
  changed = 0;
  /** The file's size when it was last found to be worth its bytes. */
  checkedSize = 0;
  readonly #context: LogContext;
  #replay: Replay;
  #file: FileVersion | undefined;
  /** How far the file is known, and how far it was understood: behind that somebody may be writing. */
  #size = 0;
  #end = 0;
  #sessionAt = -1;
  #endsInNewline = true;

  /** @param name of the file, without ending */
  constructor(name: string, context: LogContext) {
    this.name = name;
    this.sessionID = sessionIDOf(name);
    this.path = context.paths.log(name);
    this.#context = context;
    this.#replay = this.#newReplay();
  }

  get record(): SessionRecord | undefined {
    return this.#replay.record;
  }

  get tombstone(): number | undefined {
    return this.#replay.tombstone;
  }

  get archive(): Archive | undefined {
    return this.#replay.archive;
  }

  /** The highest one of a lease that the session was written with. */
  get fence(): number {
    return this.#replay.fence;
  }

  get size(): number {
    return this.#size;
  }

  /** Reads what others have written since. */
  refresh(): void {
    const stat = statSync(this.path, { throwIfNoEntry: false });
    if (stat === undefined) {
      if (this.#file !== undefined) this.forget();
      return;
    }
    if (!isSameFile(this.#file, stat) || stat.size < this.#size) this.forget();
    else if (stat.size === this.#size) return;
    this.#read();
  }

  /** Drops all that was read: the next `refresh` reads anew. */
  forget(): void {
    this.#replay = this.#newReplay();
    this.#file = undefined;
    this.#size = 0;
    this.#end = 0;
    this.#sessionAt = -1;
    this.#endsInNewline = true;
    this.changed = 0;
    this.checkedSize = 0;
  }

  /** Adds lines to the file, whole or not at all. Only under the store's lock, after a `refresh`. */
  append(lines: readonly NewLine[], changed: number, fence = 0): void {
    const isTorn = this.#size > this.#end;
    if (isTorn) this.#report(this.#end, "The line was not written to its end.");
    // What a dead writer left behind must not swallow the next line.
    const prefix = isTorn || !this.#endsInNewline ? "\n" : "";
    const { text, sessionAt } = framesOf(lines, { changed, sessionAt: this.#sessionAt, start: this.#size + prefix.length });
    const bytes = Buffer.from(prefix + text);
    appendBytes(this.path, bytes, this.#size);
    this.#file ??= versionOf(statSync(this.path));
    this.#size += bytes.length;
    this.#end = this.#size;
    this.#endsInNewline = true;
    this.#sessionAt = sessionAt;
    this.changed = changed;
    this.#replay.fence = Math.max(this.#replay.fence, fence);
  }

  /** Puts other lines in place of the whole file. Only under the store's lock. */
  replace(lines: readonly NewLine[], changed: number, sync: boolean): void {
    const { text } = framesOf(lines, { changed, sessionAt: -1, start: 0 });
    replaceFile(this.path, Buffer.from(text), sync);
    this.forget();
  }

  /** Takes a session over that was created by the lines just written. */
  adopt(record: SessionRecord): void {
    this.#replay.adopt(record);
  }

  #read(): void {
    try {
      withFile(this.path, "r", (file) => this.#readFrom(file));
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
      this.forget();
    }
  }

  #readFrom(file: number): void {
    const stat = fstatSync(file);
    if (this.#file !== undefined && !isSameFile(this.#file, stat)) this.forget();
    this.#file = versionOf(stat);
    const bytes = readRange(file, this.#end, stat.size);
    const base = this.#end;
    this.#end = base + scanFrames(bytes, (piece) => this.#take(piece, base));
    this.#size = base + bytes.length;
    this.#endsInNewline = this.#size === this.#end && (bytes.length === 0 || bytes.at(-1) === 0x0a);
    this.#replay.settle();
    if (this.#isTorn()) this.#report(this.#end, "The line was not written to its end.");
  }

  #take(piece: Piece, base: number): void {
    try {
      if (piece.frame === undefined) throw new Error("The line is damaged.");
      this.#replay.take(piece.frame);
      this.#sessionAt = piece.frame.sessionAt;
      this.changed = piece.frame.changed;
    } catch (error) {
      this.#replay.damage();
      this.#report(base + piece.start, errorMessage(error));
    }
  }

  /** Whether the end of the file is what a dead writer left behind, and not what a living one is about to complete. */
  #isTorn(): boolean {
    return this.#size > this.#end && this.#context.isQuiet() && statSync(this.path, { throwIfNoEntry: false })?.size === this.#size;
  }

  #report(start: number, reason: string): void {
    this.#context.damage.report({ sessionID: this.record?.id ?? this.sessionID, record: "commit", where: `${this.path}, byte ${start}`, reason });
  }

  #newReplay(): Replay {
    const { paths, damage } = this.#context;
    return new Replay({
      archive: (content, name) =>
        new Archive({ ...content, path: name === undefined ? undefined : join(paths.archives, name) }, (found) =>
          damage.report({ ...found, sessionID: this.record?.id ?? this.sessionID }),
        ),
      scanArchive: (name, seq) => scanArchive(join(paths.archives, name), seq),
      identity: () => this.#identityFromName(),
    });
  }

  #identityFromName(): SessionIdentity | undefined {
    return this.sessionID === undefined ? undefined : { id: this.sessionID, rootID: this.sessionID };
  }
}

/** The text of lines that will start at `start` in their file. */
function framesOf(
  lines: readonly NewLine[],
  { changed, sessionAt, start }: { changed: number; sessionAt: number; start: number },
): { text: string; sessionAt: number } {
  let text = "";
  let at = start;
  for (const { seq, json, session } of lines) {
    if (session !== undefined) sessionAt = session === "row" ? at : -1;
    const line = encodeFrame({ seq, changed, sessionAt }, json);
    at += Buffer.byteLength(line);
    text += line;
  }
  return { text, sessionAt };
}
