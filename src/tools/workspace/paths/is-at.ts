import { lstat, readlink, realpath, type FileHandle } from "node:fs/promises";

/**
 * Whether what was opened is what stands at that canonical path now. An open follows links in the middle of a path, and
 * somebody may have put one there since the path was judged.
 */
export async function isAt(handle: FileHandle, real: string): Promise<boolean> {
  if (process.platform === "linux") {
    // The kernel says where it is, in one call.
    const place = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
    if (place !== undefined) return place === real;
  }
  try {
    const [opened, there, canonical] = await Promise.all([handle.stat({ bigint: true }), lstat(real, { bigint: true }), realpath(real)]);
    return opened.dev === there.dev && opened.ino === there.ino && canonical === real;
  } catch {
    return false;
  }
}
