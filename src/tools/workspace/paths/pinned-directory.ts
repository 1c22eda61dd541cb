import { constants } from "node:fs";
import { lstat, mkdir, open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isAt } from "./is-at.ts";
import { movedError } from "./open-judged.ts";
import { codeOf, explainSystemError } from "./system-error.ts";

/** Not every platform has these. */
const noFollow = constants.O_NOFOLLOW as number | undefined;
const onlyDirectory = constants.O_DIRECTORY as number | undefined;

/**
 * A directory that was judged, held open: what is done to its entries happens in it, and not where its path leads by then.
 *
 * On Linux the paths of entries go through the open descriptor (`/proc/self/fd/…`), as with `openat`. Elsewhere Node cannot do
 * so: there the path is checked again right before each use.
 */
export class PinnedDirectory {
  readonly real: string;
  readonly #handle: FileHandle | undefined;
  readonly #base: string;

  private constructor(real: string, handle: FileHandle | undefined, base: string) {
    this.real = real;
    this.#handle = handle;
    this.#base = base;
  }

  /**
   * Opens a directory by its canonical path.
   *
   * @param make - whether it is made, with those above it, when it is not there yet
   * @throws {PathRefusedError} the path leads elsewhere now, or no access
   */
  static async open(real: string, { make }: { make: boolean }): Promise<PinnedDirectory> {
    try {
      return await PinnedDirectory.#pin(real, real);
    } catch (error) {
      if (!make || codeOf(error) !== "ENOENT") throw explainSystemError(error, real);
    }
    const above = await PinnedDirectory.open(dirname(real), { make });
    try {
      await mkdir(await above.entry(basename(real))).catch((error: unknown) => {
        // Somebody else has made it; whether it is a directory is seen when it is opened.
        if (codeOf(error) !== "EEXIST") throw error;
      });
      return await PinnedDirectory.#pin(await above.entry(basename(real)), real);
    } catch (error) {
      throw explainSystemError(error, real);
    } finally {
      await above.close();
    }
  }

  static async #pin(path: string, real: string): Promise<PinnedDirectory> {
    if (onlyDirectory === undefined) {
      if (!(await isCanonicalDirectory(real))) throw movedError(real);
      return new PinnedDirectory(real, undefined, real);
    }
    const handle = await open(path, constants.O_RDONLY | onlyDirectory | (noFollow ?? 0));
    if (await isAt(handle, real)) {
      const place = `/proc/self/fd/${handle.fd}`;
      const goesThrough = process.platform === "linux" && (await readlink(place).catch(() => undefined)) !== undefined;
      return new PinnedDirectory(real, handle, goesThrough ? place : real);
    }
    await handle.close();
    throw movedError(real);
  }

  /**
   * The path to use for an entry, now.
   *
   * @throws {PathRefusedError} the directory is no longer where it was judged
   */
  async entry(name: string): Promise<string> {
    const stands = this.#handle === undefined ? await isCanonicalDirectory(this.real) : await isAt(this.#handle, this.real);
    if (!stands) throw movedError(this.real);
    return join(this.#base, name);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

async function isCanonicalDirectory(real: string): Promise<boolean> {
  const stats = await lstat(real);
  return stats.isDirectory() && (await realpath(real)) === real;
}
