import { readdirSync, statSync } from "node:fs";
import type { SessionInfo } from "../../message/session-info.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { ListedSession } from "../memory/session-page.ts";
import { isSameFile, readRange, versionOf, withFile, type FileVersion } from "./durable-file.ts";
import { decodeFrame, type Frame } from "./frame.ts";
import type { LogCache } from "./log-cache.ts";
import type { LogLine } from "./log-line.ts";
import { nameOfLog, type StorePaths } from "./store-paths.ts";

/** A session as its file's last lines tell it. */
export interface SessionSummary extends ListedSession {
  readonly name: string;
  session(): SessionInfo | undefined;
}

interface KnownSummary {
  file: FileVersion;
  size: number;
  summary: SessionSummary;
}

/** Enough for the last line of most files. */
const tailBytes = 4096;

/**
 * All the sessions, without reading all of them: a file's last line says where the session's row is. What was read once
 * is read again when the file has changed.
 */
export class SessionList {
  readonly #paths: StorePaths;
  readonly #logs: LogCache;
  #known = new Map<string, KnownSummary>();

  constructor(paths: StorePaths, logs: LogCache) {
    this.#paths = paths;
    this.#logs = logs;
  }

  all(): SessionSummary[] {
    const known = new Map<string, KnownSummary>();
    for (const file of readdirSync(this.#paths.sessions)) {
      const name = nameOfLog(file);
      const found = name === undefined ? undefined : this.#find(name);
      if (name !== undefined && found !== undefined) known.set(name, found);
    }
    this.#known = known;
    return [...known.values()].map(({ summary }) => summary);
  }

  #find(name: string): KnownSummary | undefined {
    const stat = statSync(this.#paths.log(name), { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const known = this.#known.get(name);
    if (known?.size === stat.size && isSameFile(known.file, stat)) return known;
    return { file: versionOf(stat), size: stat.size, summary: this.#fromTail(name, stat.size) ?? this.#fromAll(name) };
  }

  #fromTail(name: string, size: number): SessionSummary | undefined {
    return withFile(this.#paths.log(name), "r", (file) => {
      const last = lastFrame(readRange(file, Math.max(0, size - tailBytes), size));
      if (last === undefined) return undefined;
      if (last.sessionAt < 0) return { name, changed: last.changed, session: () => undefined };
      const row = frameAt(file, last.sessionAt, size);
      const session = row === undefined ? undefined : sessionIn(row);
      return session === undefined ? undefined : summaryOf(name, last.changed, { ...session, seq: last.seq });
    });
  }

  /** For a file whose end is damaged or longer than usual. */
  #fromAll(name: string): SessionSummary {
    const log = this.#logs.passing(name);
    return summaryOf(name, log.changed, log.record?.session());
  }
}

function summaryOf(name: string, changed: number, session: SessionInfo | undefined): SessionSummary {
  // It is handed out again and again.
  deepFreeze(session);
  return { name, changed, session: () => session };
}

/** The frame that ends with the bytes, if they end with a whole one. */
function lastFrame(bytes: Buffer): Frame | undefined {
  if (bytes.at(-1) !== 0x0a) return undefined;
  const start = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
  return decodeFrame(bytes, start)?.frame;
}

function frameAt(file: number, start: number, size: number): Frame | undefined {
  const near = decodeFrame(readRange(file, start, Math.min(size, start + tailBytes)), 0);
  return (near ?? decodeFrame(readRange(file, start, size), 0))?.frame;
}

function sessionIn({ json }: Frame): SessionInfo | undefined {
  const line = JSON.parse(json) as LogLine; // a frame's checksum says that we wrote it
  if ("row" in line) return line.row === "session" ? ((line.value ?? undefined) as SessionInfo | undefined) : undefined;
  if (!("commit" in line)) return undefined;
  const operation = line.commit.findLast((operation) => operation.type === "session.put" || operation.type === "session.create");
  return operation !== undefined && "session" in operation ? operation.session : undefined;
}
