import { open, type FileHandle } from "node:fs/promises";

/** Up to this size a command's output is its result as a whole; the engine cuts it for the model. */
const wholeBytes = 1024 * 1024;

/** Of a larger one so much is kept of either end. */
const keptBytes = 20_000;

/** How much of the newest output people are shown while the command runs. */
const shownBytes = 4_000;

/**
 * What a command writes, in a file that it writes to directly: neither its output nor processes that it leaves behind hold
 * anything of ours, and the two streams keep their order.
 */
export class OutputFile {
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  static async create(path: string): Promise<OutputFile> {
    return new OutputFile(path, await open(path, "ax+", 0o600));
  }

  /** The descriptor, for the process that writes. */
  get descriptor(): number {
    return this.#handle.fd;
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  /** The newest output, for people. */
  async newest(): Promise<string> {
    const size = await this.size();
    return fromLineStart(await this.#read(Math.max(0, size - shownBytes), size), size > shownBytes);
  }

  /** All of it, or its beginning and its end. */
  async text(): Promise<{ text: string; isWhole: boolean; size: number }> {
    const size = await this.size();
    if (size <= wholeBytes) return { text: decode(await this.#read(0, size)), isWhole: true, size };
    const head = toLineEnd(await this.#read(0, keptBytes));
    const tail = fromLineStart(await this.#read(size - keptBytes, size), true);
    const notice = `[… ${size} bytes in all; here are the first ${keptBytes} and the last ${keptBytes}. All of it is in ${this.path}: look at parts of it with head, tail, sed -n or grep. …]`;
    return { text: `${head}\n\n${notice}\n\n${tail}`, isWhole: false, size };
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #read(start: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await this.#handle.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  }
}

/** A character that is cut at the end is left out. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true });
}

function toLineEnd(bytes: Uint8Array): string {
  const text = decode(bytes);
  const end = text.lastIndexOf("\n");
  return end > text.length / 2 ? text.slice(0, end) : text;
}

function fromLineStart(bytes: Uint8Array, isCut: boolean): string {
  if (!isCut) return decode(bytes);
  let start = 0;
  // Bytes that go on with a character that began before.
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  const text = decode(bytes.subarray(start));
  const lineStart = text.indexOf("\n") + 1;
  return lineStart < text.length / 2 ? text.slice(lineStart) : text;
}
