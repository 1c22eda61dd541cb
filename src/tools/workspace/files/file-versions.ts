import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { JudgedPath } from "../paths/judged-path.ts";
import { PathRefusedError } from "../paths/path-refused-error.ts";

/** What a session has seen of a file. */
export interface FileVersion {
  mtimeNs: bigint;
  size: bigint;
  ino: bigint;
  /** Absent when the file was not read as a whole. */
  hash?: string | undefined;
}

/** Sessions may be many, and each may read a whole repository: the oldest are forgotten, and then read again. */
const maxVersions = 20_000;

/**
 * Which version of which file each session has seen last, so that none overwrites what it does not know. In memory: after a
 * restart, and in a fork, a file is to be read again before it is changed.
 */
export class FileVersions {
  readonly #versions = new Map<string, FileVersion>();

  note(sessionID: string, real: string, version: FileVersion): void {
    const key = keyOf(sessionID, real);
    this.#versions.delete(key);
    this.#versions.set(key, version);
    if (this.#versions.size <= maxVersions) return;
    const [oldest] = this.#versions.keys();
    if (oldest !== undefined) this.#versions.delete(oldest);
  }

  /** A session was removed. */
  forget(sessionID: string): void {
    for (const key of this.#versions.keys()) if (key.startsWith(keyOf(sessionID, ""))) this.#versions.delete(key);
  }

  /**
   * Refuses a change of a file that the session has not seen as it is now.
   *
   * @throws {PathRefusedError} not read in this session, or changed since
   */
  refuseUnread(sessionID: string, { real, name }: JudgedPath, now: FileVersion): void {
    const seen = this.#versions.get(keyOf(sessionID, real));
    if (seen === undefined) throw new PathRefusedError(`${name} exists, and you have not read it in this session. Read it with the read tool, then change it.`);
    if (!isSame(seen, now)) throw new PathRefusedError(`${name} has changed since you read it. Read it again with the read tool, then change what it is now.`);
  }
}

function keyOf(sessionID: string, real: string): string {
  return `${sessionID}\0${real}`;
}

/** The content decides where it is known: times are coarse, and tools that rewrite the same content change them. */
function isSame(seen: FileVersion, now: FileVersion): boolean {
  if (seen.hash !== undefined && now.hash !== undefined) return seen.hash === now.hash;
  return seen.mtimeNs === now.mtimeNs && seen.size === now.size && seen.ino === now.ino;
}

/** The version of a file, with its content where that is at hand. */
export function versionOf({ mtimeNs, size, ino }: BigIntStats, content?: Uint8Array): FileVersion {
  return { mtimeNs, size, ino, hash: content && createHash("sha256").update(content).digest("base64") };
}
