import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "../../errors.ts";
import { hasCode, readRange } from "./durable-file.ts";

const width = 16;

/** Counts the commits of a whole store, over all processes: what a list of sessions is ordered by. */
export class CommitCounter {
  readonly #file: number;
  #newest = 0;
  #closed = false;

  constructor(directory: string) {
    this.#file = openOrCreate(join(directory, "commits"));
  }

  /** Takes note of a count that was found in a file, in case that the counter's own was lost. */
  note(changed: number): void {
    this.#newest = Math.max(this.#newest, changed);
  }

  /** The next count. Only under the store's lock. */
  next(): number {
    // The file's number may be another file's by now.
    if (this.#closed) throw new StorageError("This storage was closed.");
    this.note(Number.parseInt(readRange(this.#file, 0, width).toString("latin1"), 10) || 0);
    this.#newest += 1;
    writeSync(this.#file, String(this.#newest).padStart(width, "0"), 0, "latin1");
    return this.#newest;
  }

  close(): void {
    this.#closed = true;
    closeSync(this.#file);
  }
}

function openOrCreate(path: string): number {
  try {
    return openSync(path, "r+");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    // Not "w+": another process may have made and used it in between.
    closeSync(openSync(path, "a"));
    return openSync(path, "r+");
  }
}
