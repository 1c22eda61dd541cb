import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { closestNames } from "../../closest-names.ts";
import type { JudgedPath } from "../paths/judged-path.ts";
import { PathRefusedError } from "../paths/path-refused-error.ts";

/** Nothing is there: the error names what is, and resembles it. Outside of the workspace it names nothing. */
export async function missingFileError(path: JudgedPath): Promise<PathRefusedError> {
  const { name, real, root } = path;
  const folder = dirname(name);
  const entries = root === undefined ? [] : await readdir(dirname(real)).catch(() => undefined);
  if (entries === undefined) return new PathRefusedError(`${name} does not exist, and neither does its folder ${folder}. Look for it with the glob tool, e.g. pattern "**/${basename(name)}".`);
  const close = closestNames(basename(name), entries).map((entry) => (folder === "." ? entry : `${folder}/${entry}`));
  const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : `Look for it with the glob tool, e.g. pattern "**/${basename(name)}".`;
  return new PathRefusedError(`${name} does not exist. ${hint}`);
}
