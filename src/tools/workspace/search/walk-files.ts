import type { Dirent } from "node:fs";
import { join } from "node:path";
import { readEntries } from "../files/list-entries.ts";
import { readBytes } from "../files/read-whole.ts";
import { openJudged } from "../paths/open-judged.ts";
import { PathRefusedError } from "../paths/path-refused-error.ts";
import { isIgnored, parseIgnoreFile, type IgnoreFile } from "./ignore-rules.ts";

/** Where a walk begins. */
export interface WalkStart {
  /** A canonical folder: what is found is named from here, and its ignore files count. */
  base: string;
  /** The folder in it where the walk begins, with `/`; empty for itself. */
  from: string;
}

/** What a walk found, each sorted, with `/`. */
export interface Walk {
  files: string[];
  /** Directories, which end in `/`, and links. */
  others: string[];
  /** There was more than a walk visits. */
  isCut: boolean;
}

export interface WalkOptions {
  /** Whether to enter a directory that is so many below the beginning. Default: all. */
  enters?: (path: string, depth: number) => boolean;
  signal: AbortSignal;
}

/** Nobody reads a list of more, and a home directory has millions. */
const maxVisited = 200_000;

/** Directories that are read at once. */
const breadth = 16;

/** Larger ones are no ignore files. */
const maxIgnoreBytes = 1_000_000;

/** Never entered, unless the walk begins in them. */
const skippedFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** The later one has the last word. */
const ignoreNames: readonly string[] = [".gitignore", ".ignore"];

interface Folder {
  path: string;
  depth: number;
  ignores: readonly IgnoreFile[];
}

/**
 * Finds all files of a folder, except those that `.gitignore` and `.ignore` files leave out. Links are not followed, and
 * directories that cannot be read are left out.
 *
 * @throws {PathRefusedError} the folder itself cannot be read
 */
export async function walkFiles({ base, from }: WalkStart, { enters = () => true, signal }: WalkOptions): Promise<Walk> {
  const walk: Walk = { files: [], others: [], isCut: false };
  let level: Folder[] = [{ path: from, depth: 0, ignores: await ignoresAbove(base, from) }];
  while (level.length > 0 && !walk.isCut) {
    const next: Folder[] = [];
    for (let index = 0; index < level.length && !walk.isCut; index += breadth) {
      signal.throwIfAborted();
      const found = await Promise.all(level.slice(index, index + breadth).map((folder) => visit(base, folder, walk)));
      next.push(...found.flat().filter(({ path, depth }) => enters(path, depth)));
      walk.isCut = walk.files.length + walk.others.length > maxVisited;
    }
    level = next;
  }
  walk.files.sort();
  walk.others.sort();
  return walk;
}

/** Notes what is in one directory, and gives the directories to be entered. */
async function visit(base: string, { path, depth, ignores }: Folder, walk: Walk): Promise<Folder[]> {
  const real = join(base, path);
  const entries = await readEntries(real).catch((error: unknown): Dirent[] => {
    // What cannot be read, or was moved meanwhile, does not end the walk; but its beginning has to be there.
    if (depth === 0 || !(error instanceof PathRefusedError)) throw error;
    return [];
  });
  const present = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const rules = [...ignores, ...(await ignoresIn(real, path, ignoreNames.filter((name) => present.includes(name))))];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const name = path === "" ? entry.name : `${path}/${entry.name}`;
    const isDirectory = entry.isDirectory();
    if ((isDirectory && skippedFolders.has(entry.name)) || isIgnored(name, isDirectory, rules)) continue;
    if (isDirectory) folders.push({ path: name, depth: depth + 1, ignores: rules });
    if (entry.isFile()) walk.files.push(name);
    else walk.others.push(isDirectory ? `${name}/` : name);
  }
  return folders;
}

/** The ignore files of the base and the folders on the way to the beginning. */
async function ignoresAbove(base: string, from: string): Promise<IgnoreFile[]> {
  const names = from === "" ? [] : from.split("/");
  const folders = names.map((_, index) => names.slice(0, index).join("/"));
  return (await Promise.all(folders.map((path) => ignoresIn(join(base, path), path, ignoreNames)))).flat();
}

async function ignoresIn(real: string, path: string, names: readonly string[]): Promise<IgnoreFile[]> {
  return Promise.all(names.map(async (name) => parseIgnoreFile(await readIgnoreFile(join(real, name)), path)));
}

async function readIgnoreFile(real: string): Promise<string> {
  try {
    const handle = await openJudged({ real, name: real });
    try {
      return new TextDecoder().decode(await readBytes(handle, maxIgnoreBytes));
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}
