import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { JudgedPath } from "../paths/judged-path.ts";
import { openJudged } from "../paths/open-judged.ts";
import { PathRefusedError } from "../paths/path-refused-error.ts";

/** Larger files are not changed by text, and not shown as attachments. 10 MiB. */
export const maxWholeBytes = 10 * 1024 * 1024;

export interface WholeFile {
  bytes: Uint8Array;
  stats: BigIntStats;
}

/**
 * Reads a judged file as a whole.
 *
 * @throws {PathRefusedError} it is too large, was replaced since, or cannot be read
 */
export async function readWhole(path: JudgedPath): Promise<WholeFile> {
  const handle = await openJudged(path);
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.size > BigInt(maxWholeBytes)) {
      throw new PathRefusedError(`${path.name} is too large for this tool: ${stats.size} bytes, and at most ${maxWholeBytes} are taken. Work with a part of it by a command.`);
    }
    return { bytes: await readBytes(handle, maxWholeBytes), stats };
  } finally {
    await handle.close();
  }
}

/** What is there, up to a limit: a file may grow while it is read, and some have no size. */
export async function readBytes(handle: FileHandle, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < limit) {
    const piece = Buffer.allocUnsafe(Math.min(256 * 1024, limit - length));
    const { bytesRead } = await handle.read(piece, 0, piece.length, length);
    if (bytesRead === 0) break;
    pieces.push(piece.subarray(0, bytesRead));
    length += bytesRead;
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}
