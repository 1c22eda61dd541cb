import type { Dirent } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { PinnedDirectory } from "../paths/pinned-directory.ts";
import { explainSystemError } from "../paths/system-error.ts";

/** What stands in a directory that was judged, sorted by name; a link is never followed. */
export async function readEntries(real: string): Promise<Dirent[]> {
  const directory = await PinnedDirectory.open(real, { make: false });
  try {
    const entries = await readdir(await directory.entry("."), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw explainSystemError(error, real);
  } finally {
    await directory.close();
  }
}

/** An entry as models read it: `src/` for a directory, `a -> b` for a link. */
export async function describeEntry(entry: Dirent, folder: string): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/`;
  if (!entry.isSymbolicLink()) return entry.name;
  const target = await readlink(`${folder}/${entry.name}`).catch(() => "?");
  return `${entry.name} -> ${target}`;
}
