import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { LinePage, type LineRange } from "./line-page.ts";
import { maxWholeBytes } from "./read-whole.ts";
import { hasByteOrderMark, isBinary, isUTF16 } from "./text-content.ts";

/** A page of a text file. */
export interface FilePage {
  lines: readonly string[];
  /** Lines of the whole file; absent when it is too large to be counted. */
  total?: number | undefined;
  /** The number of the last line of the page. */
  last: number;
}

const pieceBytes = 256 * 1024;

/** The page of a file that was read as a whole. */
export function pageOf(bytes: Uint8Array, range: LineRange): FilePage {
  const page = new LinePage(range);
  page.push(new TextDecoder(isUTF16(bytes) ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes));
  page.end();
  return toPage(page, range, page.seen);
}

/** The page of a file that is too large to be held, read from its beginning until the page is full. */
export async function pageOfLarge(handle: FileHandle, range: LineRange): Promise<FilePage | "binary"> {
  const page = new LinePage(range);
  const decoder = new StringDecoder("utf8");
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let position = 0; !page.isFull; ) {
    const { bytesRead } = await handle.read(piece, 0, pieceBytes, position);
    const bytes = piece.subarray(0, bytesRead);
    if (position === 0 && (isBinary(bytes) || isUTF16(bytes))) return "binary";
    if (bytesRead === 0) {
      page.end();
      return toPage(page, range, page.seen);
    }
    page.push(decoder.write(position === 0 && hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes));
    position += bytesRead;
  }
  return toPage(page, range, undefined);
}

function toPage({ lines }: LinePage, { offset }: LineRange, total: number | undefined): FilePage {
  return { lines, total, last: offset + lines.length - 1 };
}

/** Whether a file of that size is held in memory. */
export function isLarge(size: bigint): boolean {
  return size > BigInt(maxWholeBytes);
}
