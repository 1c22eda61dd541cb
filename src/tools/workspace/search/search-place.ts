import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { missingFileError } from "../files/missing-file.ts";
import type { JudgedPath } from "../paths/judged-path.ts";
import { isWithin, wayWithin, withSlashes } from "../paths/within.ts";
import { walkFiles, type Walk, type WalkOptions, type WalkStart } from "./walk-files.ts";

/** What a search looks through, and what its files are called. */
export interface SearchPlace extends WalkStart {
  /** What a model calls a file, by its path from the base. */
  nameOf(file: string): string;
}

/**
 * Where a search in a judged path begins. In the workspace files are named from there, so that their names are paths to other
 * tools; outside by their whole path.
 *
 * @throws {PathRefusedError} nothing is there
 */
export async function searchPlace(path: JudgedPath, root: string): Promise<SearchPlace> {
  if (path.kind === "missing") throw await missingFileError(path);
  const folder = path.kind === "file" ? dirname(path.real) : path.real;
  if (!isWithin(root, folder)) return { base: folder, from: "", nameOf: (file) => withSlashes(join(folder, file)) };
  const way = wayWithin(root, folder);
  return { base: root, from: way === "." ? "" : way, nameOf: (file) => file };
}

/** The files of a place; a path to a file is that file alone, also one that is ignored. */
export async function filesOf(path: JudgedPath, place: SearchPlace, options: WalkOptions): Promise<Pick<Walk, "files" | "isCut">> {
  if (path.kind !== "file") return walkFiles(place, options);
  return { files: [wayWithin(place.base, path.real)], isCut: false };
}

/** The path of a file below the place where the search began: what patterns are matched against. */
export function belowStart(file: string, { from }: WalkStart): string {
  return from === "" ? file : file.slice(from.length + 1);
}

/** When files were changed last, newest first; those that are gone are left out. */
export async function newestFirst(files: readonly string[], base: string): Promise<string[]> {
  const times = await Promise.all(files.map(async (file) => ({ file, time: (await stat(join(base, file)).catch(() => undefined))?.mtimeMs })));
  const present = times.filter((entry): entry is { file: string; time: number } => entry.time !== undefined);
  return present.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}
