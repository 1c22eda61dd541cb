import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, renameSync, rmSync, writeSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

/** Which file a path led to. A new file in its place has another birth, also when it got the same inode. */
export interface FileVersion {
  ino: number;
  birthtimeMs: number;
}

export function isSameFile(a: FileVersion | undefined, b: FileVersion): boolean {
  return a?.ino === b.ino && a.birthtimeMs === b.birthtimeMs;
}

export function versionOf({ ino, birthtimeMs }: Stats): FileVersion {
  return { ino, birthtimeMs };
}

/** Bytes from `start` to `end`, or fewer when the file ends before. */
export function readRange(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, start + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Adds bytes at the end of a file. When that fails, what was written of them is cut off again, if that can be done. */
export function appendBytes(path: string, bytes: Buffer, sizeBefore: number): void {
  withFile(path, "a", (file) => {
    try {
      writeAll(file, bytes);
    } catch (error) {
      attempt(() => ftruncateSync(file, sizeBefore));
      throw error;
    }
  });
}

/** Puts a new file in place of an old one, or leaves the old one as it was. */
export function replaceFile(path: string, bytes: Buffer, sync: boolean): void {
  const temporary = `${path}.tmp`;
  try {
    withFile(temporary, "w", (file) => {
      writeAll(file, bytes);
      if (sync) fsyncSync(file);
    });
    renameSync(temporary, path);
  } catch (error) {
    attempt(() => rmSync(temporary, { force: true }));
    throw error;
  }
  if (sync) syncDirectory(dirname(path));
}

/** Makes new names in a directory survive a power loss, where the system can do that. */
function syncDirectory(path: string): void {
  attempt(() => withFile(path, "r", fsyncSync));
}

/** Makes what was written to a file, and its name, survive a power loss; without holding up the event loop. */
export async function flushFile(path: string, isNew: boolean): Promise<void> {
  await flush(path);
  // Windows cannot open a directory, and needs no such thing.
  if (isNew) await flush(dirname(path)).catch(() => undefined);
}

async function flush(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

export function withFile<T>(path: string, flags: string, use: (file: number) => T): T {
  const file = openSync(path, flags);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written, bytes.length - written);
}

/** For what is done on the way out of a failure: that it fails too changes nothing. */
export function attempt(action: () => unknown): void {
  try {
    action();
  } catch {
    // What matters is reported already.
  }
}

/** Whether an error of the file system has one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}
