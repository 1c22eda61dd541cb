import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

/**
 * The real path of a file in a folder. Links are followed before it is judged, and the judged path is the one to open:
 * a path that only looks as if it were inside may lead anywhere.
 *
 * @throws {Error} it leads out of the folder, is hidden (a name that begins with a dot), or is no file
 */
export async function resolveInside(folder: string, path: string): Promise<string> {
  const root = await realpath(folder);
  const file = await realpath(resolve(root, path)).catch(() => undefined);
  if (file === undefined) throw new Error(`${path} does not exist, or cannot be reached.`);
  const inside = relative(root, file);
  const segments = inside.split(sep);
  if (isAbsolute(inside) || segments[0] === "..") throw new Error(`${path} is outside the folder. Only files in it can be read.`);
  if (segments.some((segment) => segment.startsWith("."))) throw new Error(`${path} is hidden. Hidden files are not read.`);
  // Opening a pipe would wait for its other end.
  if (!(await stat(file)).isFile()) throw new Error(`${path} is not a file.`);
  return file;
}
