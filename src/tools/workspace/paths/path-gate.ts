import type { BigIntStats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, normalize } from "node:path";
import type { JudgedPath, PathKind } from "./judged-path.ts";
import { absolutePath } from "./path-text.ts";
import { PathRefusedError } from "./path-refused-error.ts";
import { resolveLinks } from "./resolve-links.ts";
import type { SecretTest } from "./secret-files.ts";
import { codeOf, explainSystemError } from "./system-error.ts";
import { isWithin, wayWithin, withSlashes } from "./within.ts";

/** What paths are judged by: the folders of a session, without links, the workspace first. */
export interface PathGate {
  /** The workspace: relative paths are relative to it. */
  root: string;
  /** Further folders that need no leave. */
  extraRoots: readonly string[];
  isSecret: SecretTest;
}

/**
 * Makes a gate. Roots are resolved too: one that is given through a link would contain no path at all.
 *
 * @throws {PathRefusedError} a root is no directory
 */
export async function openGate(root: string, extraRoots: readonly string[], isSecret: SecretTest): Promise<PathGate> {
  const [first, ...others] = await Promise.all([root, ...extraRoots].map(canonicalRoot));
  // canonicalRoot gives one for each, and there is at least one.
  return { root: first ?? root, extraRoots: others, isSecret };
}

async function canonicalRoot(root: string): Promise<string> {
  if (!isAbsolute(root)) throw new PathRefusedError(`The workspace ${JSON.stringify(root)} is no absolute path. The host has to give one.`);
  try {
    const real = await realpath(root);
    if ((await lstat(real)).isDirectory()) return real;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw explainSystemError(error, root);
  }
  throw new PathRefusedError(`The workspace ${root} is no directory, so that no file tool works. Say so, and go on without them.`);
}

/**
 * Judges the path that a model gave, the only way from such a text to a file.
 *
 * @throws {PathRefusedError} no path, a secret, or something that is neither a file nor a directory
 */
export async function judgePath(text: string, gate: PathGate): Promise<JudgedPath> {
  const absolute = absolutePath(text, gate.root, process.platform);
  const { real, links } = await resolveLinks(absolute);
  const stats = await statsAt(real);
  const name = nameOf(real, gate);
  const asked = nameOf(normalize(absolute), gate);
  const path: JudgedPath = {
    real,
    kind: kindOf(stats, name),
    stats,
    root: [gate.root, ...gate.extraRoots].find((root) => isWithin(root, real)),
    name,
    askedAs: links.length > 0 && asked !== name ? asked : undefined,
    links,
  };
  refuseSecret(path, normalize(absolute), gate);
  return path;
}

async function statsAt(real: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(real, { bigint: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw explainSystemError(error, real);
  }
}

function kindOf(stats: BigIntStats | undefined, name: string): PathKind {
  if (stats === undefined) return "missing";
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  // A pipe would be waited for, a device acts when it is opened, and a link has appeared since the path was resolved.
  throw new PathRefusedError(`${name} is neither a file nor a directory (a pipe, a socket, a device, or a link that has just appeared). Work with other files.`);
}

function nameOf(path: string, gate: PathGate): string {
  return isWithin(gate.root, path) ? wayWithin(gate.root, path) : withSlashes(path);
}

/** By each spelling: a harmless name may lead to a secret, and the name of a secret to a harmless place. */
function refuseSecret(path: JudgedPath, asked: string, { isSecret }: PathGate): void {
  if (!isSecret(withSlashes(path.real)) && !isSecret(withSlashes(asked))) return;
  throw new PathRefusedError(`${path.askedAs ?? path.name} may hold keys or passwords, so file tools do not touch it. Go on without it, or ask for the one value that you need.`);
}

/**
 * Refuses a path outside of the workspace that nobody gave leave for: the engine asks by `external_directory` before a tool
 * runs; whoever runs a tool without the engine stays in the workspace.
 */
export function refuseOutside(path: JudgedPath, gate: PathGate): void {
  if (path.root !== undefined) return;
  throw new PathRefusedError(`${path.name} is outside of the workspace ${withSlashes(gate.root)}, and nobody gave leave for it. Work with files of the workspace.`);
}
