import { lstat, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { PathRefusedError } from "./path-refused-error.ts";
import { codeOf, explainSystemError } from "./system-error.ts";

/** A link that a path went through. */
export interface FollowedLink {
  link: string;
  target: string;
}

/** Where a path leads. */
export interface ResolvedPath {
  /** Without links and `..`, in the spelling of the disk. Its last components may not exist yet. */
  real: string;
  /** How many of its last components do not exist. */
  missing: number;
  links: readonly FollowedLink[];
}

/** As Linux and macOS count. */
const maxLinks = 40;

/**
 * Follows an absolute path as the system does: component by component, links before `..`. A link that leads to nothing is
 * followed as well: what is made under its name appears at its target.
 *
 * @throws {PathRefusedError} links in a circle, a file where a directory is needed, no access
 */
export async function resolveLinks(absolute: string): Promise<ResolvedPath> {
  const links: FollowedLink[] = [];
  const missing: string[] = [];
  let existing = parse(absolute).root;
  const pending = componentsOf(absolute).reverse();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "..") {
      if (missing.pop() === undefined) existing = dirname(existing);
      continue;
    }
    const next = join(existing, name);
    const found = missing.length > 0 ? "nothing" : await whatIsAt(next);
    if (found === "nothing") missing.push(name);
    else if (found === "no link") existing = next;
    else {
      links.push({ link: next, target: found.target });
      if (links.length > maxLinks) throw new PathRefusedError(`${absolute}: its links lead in a circle. Use the path of the file itself.`);
      if (isAbsolute(found.target)) existing = parse(found.target).root;
      pending.push(...componentsOf(found.target).reverse());
    }
  }
  return { real: join(await spelledAsOnDisk(existing), ...missing), missing: missing.length, links };
}

function componentsOf(path: string): string[] {
  const names = path.slice(parse(path).root.length).split(sep === "\\" ? /[\\/]/ : sep);
  return names.filter((name) => name !== "" && name !== ".");
}

async function whatIsAt(path: string): Promise<"nothing" | "no link" | { target: string }> {
  try {
    const stats = await lstat(path);
    return stats.isSymbolicLink() ? { target: await readlink(path) } : "no link";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "nothing";
    throw explainSystemError(error, path);
  }
}

/** A file system that takes `SRC` for `src` must not make two files of one. */
async function spelledAsOnDisk(existing: string): Promise<string> {
  try {
    return await realpath(existing);
  } catch (error) {
    throw explainSystemError(error, existing);
  }
}
