import { isAbsolute, relative, sep } from "node:path";

/**
 * Whether a canonical path is the folder or in it, by components: `/srv-old` is not in `/srv`, and `/srv/..notes` is.
 */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The way from a folder to a path in it, with `/` on every system; `.` for the folder itself. */
export function wayWithin(folder: string, path: string): string {
  const way = relative(folder, path);
  return way === "" ? "." : withSlashes(way);
}

/** A path as rules and models read it on every system. */
export function withSlashes(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}
