import { appendFileSync, fsyncSync, statSync, writeFileSync } from "node:fs";
import { withFile } from "./durable-file.ts";

/** Adds lines to an archive, all of them with one write. What is never referred to does no harm there. */
export class ArchiveWriter {
  readonly #path: string;
  readonly #isNew: boolean;
  /** A line that was cut off by a crash ends here. */
  readonly #lines: Buffer[] = [Buffer.from("\n")];
  #end: number;

  constructor(path: string, isNew: boolean) {
    this.#path = path;
    this.#isNew = isNew;
    this.#end = (isNew ? 0 : statSync(path).size) + 1;
  }

  /** Where the line will stand. */
  add(line: Buffer): [start: number, length: number] {
    const start = this.#end;
    this.#lines.push(line);
    this.#end += line.length;
    return [start, line.length];
  }

  write(sync: boolean): void {
    const bytes = Buffer.concat(this.#lines);
    if (this.#isNew) writeFileSync(this.#path, bytes);
    else appendFileSync(this.#path, bytes);
    if (sync) withFile(this.#path, "r", fsyncSync);
  }
}
