import { randomUUID } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import { access, lstat, open, rename, unlink, type FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { JudgedPath } from "../paths/judged-path.ts";
import { movedError } from "../paths/open-judged.ts";
import { PathRefusedError } from "../paths/path-refused-error.ts";
import { PinnedDirectory } from "../paths/pinned-directory.ts";
import { codeOf, explainSystemError } from "../paths/system-error.ts";

const permissionBits = 0o7777n;

/**
 * Replaces a judged file as a whole, or makes it, with the folders above it: written beside it, brought to the disk, renamed.
 * A reader sees the old content or the new one. Mode and owner stay. A hard link is cut: the file's other name keeps the old
 * content, as it may be outside of the workspace.
 *
 * @returns what stands there now
 * @throws {PathRefusedError} the path leads elsewhere by now, something else has appeared there, or no access
 */
export async function writeAtomically(path: JudgedPath, content: Uint8Array): Promise<BigIntStats> {
  const directory = await PinnedDirectory.open(dirname(path.real), { make: true });
  try {
    const name = basename(path.real);
    const before = await entryStats(await directory.entry(name));
    refuseChanged(path, before);
    if (before !== undefined) await refuseReadOnly(await directory.entry(name), path);
    return await replace(directory, name, { content, before });
  } catch (error) {
    throw explainSystemError(error, path.name);
  } finally {
    await directory.close();
  }
}

async function entryStats(entry: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(entry, { bigint: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** What is replaced must be what was judged: nothing, or that very file. */
function refuseChanged({ stats, name }: JudgedPath, now: BigIntStats | undefined): void {
  if (now?.ino !== stats?.ino || now?.dev !== stats?.dev || (now !== undefined && !now.isFile())) throw movedError(name);
}

/** A rename does not ask whether the file may be written. */
async function refuseReadOnly(entry: string, { name }: JudgedPath): Promise<void> {
  try {
    await access(entry, constants.W_OK);
  } catch {
    throw new PathRefusedError(`${name} is read-only. Leave it as it is, or ask for its mode to be changed.`);
  }
}

interface Replacement {
  content: Uint8Array;
  before: BigIntStats | undefined;
}

async function replace(directory: PinnedDirectory, name: string, { content, before }: Replacement): Promise<BigIntStats> {
  const temporaryName = `.${name.slice(0, 100)}.${randomUUID()}.tmp`;
  const temporary = await directory.entry(temporaryName);
  // "wx": whatever stands there already is not ours. Until it has the mode of the old file nobody else may read it.
  const handle = await open(temporary, "wx", before === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(content);
    if (before !== undefined) await keepOwnership(handle, before);
    await handle.sync();
    const stats = await handle.stat({ bigint: true });
    await handle.close();
    await rename(await directory.entry(temporaryName), await directory.entry(name));
    return stats;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function keepOwnership(handle: FileHandle, { mode, uid, gid }: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  // Only the superuser may give files away; for others the file becomes theirs, as with every editor.
  if (own.uid !== uid || own.gid !== gid) await handle.chown(Number(uid), Number(gid)).catch(() => undefined);
  // After the owner: a change of owner clears bits of the mode.
  await handle.chmod(Number(mode & permissionBits));
}
