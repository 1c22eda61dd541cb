/** Which lines are wanted. */
export interface LineRange {
  /** The first line, from 1. */
  offset: number;
  /** Most lines. */
  limit: number;
}

/** Longer lines are cut, in characters. */
const maxLineLength = 2_000;

/** Of a page: below the engine's own limit for outputs (50 kB), which would cut its middle. */
const maxPageBytes = 44_000;

/**
 * Picks a page of lines out of a text that comes in pieces, in memory that does not grow with the text or its lines.
 *
 * A line is kept up to its limit; a page ends by its number of lines or by its size, whichever comes first, and holds at
 * least one line.
 */
export class LinePage {
  readonly lines: string[] = [];
  /** How many lines were seen. */
  seen = 0;
  readonly #range: LineRange;
  #bytes = 0;
  #line = "";
  #lineLength = 0;
  #isFull = false;

  constructor(range: LineRange) {
    this.#range = range;
  }

  /** Whether no further line is taken. */
  get isFull(): boolean {
    return this.#isFull;
  }

  push(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#extend(text, start, end);
      this.#endLine();
      start = end + 1;
    }
    if (start < text.length) this.#extend(text, start, text.length);
  }

  /** The text is over: what follows the last line ending is a line, too, unless it is nothing. */
  end(): void {
    if (this.#lineLength > 0) this.#endLine();
  }

  #extend(text: string, start: number, end: number): void {
    this.#lineLength += end - start;
    const room = maxLineLength - this.#line.length;
    if (room > 0 && !this.#isFull && this.seen + 1 >= this.#range.offset) this.#line += text.slice(start, Math.min(end, start + room));
  }

  #endLine(): void {
    this.seen += 1;
    if (this.seen >= this.#range.offset && !this.#isFull) this.#take();
    this.#line = "";
    this.#lineLength = 0;
  }

  #take(): void {
    const isCut = this.#lineLength > maxLineLength;
    const shown = isCut ? `${withoutHalf(this.#line)}… (line cut: it has ${this.#lineLength} characters)` : withoutReturn(this.#line);
    const line = `${this.seen}: ${shown}`;
    const bytes = Buffer.byteLength(line) + 1;
    if (this.lines.length > 0 && this.#bytes + bytes > maxPageBytes) {
      this.#isFull = true;
      return;
    }
    this.lines.push(line);
    this.#bytes += bytes;
    this.#isFull = this.lines.length >= this.#range.limit;
  }
}

/** A character that the cut has halved would be no character. */
function withoutHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
