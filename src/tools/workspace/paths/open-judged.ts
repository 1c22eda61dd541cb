import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { isAt } from "./is-at.ts";
import type { JudgedPath } from "./judged-path.ts";
import { PathRefusedError } from "./path-refused-error.ts";
import { explainSystemError } from "./system-error.ts";

/** A path was swapped between its judgement and its use. */
export function movedError(name: string): PathRefusedError {
  return new PathRefusedError(`${name} was replaced or moved while the tool worked, so it was left alone. Try again.`);
}

/** Not every platform has these. */
const noFollow = constants.O_NOFOLLOW as number | undefined;
const nonBlocking = constants.O_NONBLOCK as number | undefined;

/**
 * Opens a judged file for reading. What was opened is what was judged, whatever happened to the path meanwhile: else nothing
 * is read.
 *
 * @throws {PathRefusedError} it is another file now, or there is none, or no access
 */
export async function openJudged({ real, name }: Pick<JudgedPath, "real" | "name">): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    // Without blocking: a pipe that took the place of the file would be waited for.
    handle = await open(real, constants.O_RDONLY | (noFollow ?? 0) | (nonBlocking ?? 0));
  } catch (error) {
    throw explainSystemError(error, name);
  }
  try {
    const stats = await handle.stat();
    if ((stats.isFile() || stats.isDirectory()) && (await isAt(handle, real))) return handle;
  } catch (error) {
    await handle.close();
    throw explainSystemError(error, name);
  }
  await handle.close();
  throw movedError(name);
}
