import { dirname, isAbsolute, join } from "node:path";
import { MissingPackageError } from "../../../errors.ts";
import { analyzeCommand } from "../../shell/analyze-command.ts";
import type { CommandAnalysis, PathUse } from "../../shell/command-analysis.ts";
import type { FurtherPermission, ToolPermission } from "../../tool.ts";
import type { PathGate } from "../paths/path-gate.ts";
import { resolveLinks } from "../paths/resolve-links.ts";
import { isWithin, wayWithin, withSlashes } from "../paths/within.ts";
import { dialectOf } from "./bash-options.ts";

/** Where a command would run. */
export interface CommandPlace {
  gate: PathGate;
  /** Without links. */
  directory: string;
  /** The session's own folder, which needs no leave. */
  temporary: string;
  home: string;
  shell: string;
}

/** The leave that a command needs: for each simple command in it, and for what it touches elsewhere. */
export async function leaveForCommand(command: string, place: CommandPlace): Promise<ToolPermission> {
  const analysis = await analyze(command, place);
  const { atoms, unaccounted } = analysis;
  const destructive = atoms.filter((atom) => atom.destructive !== undefined);
  const impact = [...new Set(destructive.map((atom) => atom.destructive))].join(" ");
  return {
    patterns: atoms.length > 0 ? atoms.map(({ text }) => text) : [command],
    uncertain: atoms.filter(({ uncertain }) => uncertain).map(({ text }) => text),
    ...(atoms.length > 0 && { always: [...new Set(atoms.map(({ always }) => always))] }),
    ...(impact !== "" && { impact }),
    ...(unaccounted.length > 0 && { unaccounted: unaccounted.slice(0, 5).join(" ") }),
    also: [
      ...(destructive.length > 0 ? [{ permission: "destructive", patterns: destructive.map(({ text }) => text), byNameOnly: true }] : []),
      ...(await leaveForPaths(analysis, place)),
    ],
  };
}

async function analyze(command: string, { shell, home, temporary }: CommandPlace): Promise<CommandAnalysis> {
  try {
    return await analyzeCommand(command, { dialect: dialectOf(shell), variables: { HOME: home, TMPDIR: temporary } });
  } catch (error) {
    if (!MissingPackageError.isInstance(error)) throw error;
    return { atoms: [], paths: [], written: [], directories: [], unaccounted: [`No rule can be applied to it: ${error.message}`] };
  }
}

/** A path of the command, and where it leads; `undefined` when that is only known when it runs. */
interface LeadingPath {
  use: PathUse;
  real: string | undefined;
}

async function leaveForPaths({ paths, written, directories }: CommandAnalysis, place: CommandPlace): Promise<FurtherPermission[]> {
  const bases = await basesOf(directories, place);
  const lead = async (uses: readonly PathUse[]): Promise<LeadingPath[]> =>
    (await Promise.all(uses.flatMap((use) => bases.map(async (base): Promise<LeadingPath> => ({ use, real: await leadsTo(use, base, place) }))))).filter(({ real }) => real === undefined || !isWithin(place.temporary, real));
  const touched = await lead([{ text: ".", path: ".", isDirectory: true }, ...paths]);
  const outside = unique(touched.filter(({ real }) => real === undefined || !isInside(real, place)).map(folderPattern));
  const secret = unique(touched.flatMap(({ real }) => (real !== undefined && place.gate.isSecret(withSlashes(real)) ? [withSlashes(real)] : [])));
  const edited = unique((await lead(written)).flatMap(({ real }) => (real !== undefined && isInside(real, place) ? [nameIn(place.gate, real)] : [])));
  return [
    ...(outside.length > 0 ? [{ permission: "external_directory", patterns: outside }] : []),
    ...(secret.length > 0 ? [{ permission: "secret", patterns: secret, byNameOnly: true }] : []),
    ...(edited.length > 0 ? [{ permission: "edit", patterns: edited }] : []),
  ];
}

/** Every directory that a relative path of the command may be relative to. */
async function basesOf(directories: CommandAnalysis["directories"], place: CommandPlace): Promise<(string | undefined)[]> {
  let bases: (string | undefined)[] = [place.directory];
  // It is not known which of them a command reaches: it may come after each.
  for (const directory of directories.slice(0, 6)) {
    const next = directory === undefined ? [undefined] : await Promise.all(bases.map((base) => leadsTo(directory, base, place)));
    bases = [...new Set([...bases, ...next])];
  }
  return directories.length > 6 ? [...bases, undefined] : bases;
}

async function leadsTo({ path }: PathUse, base: string | undefined, { home }: CommandPlace): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const expanded = path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
  if (!isAbsolute(expanded) && base === undefined) return undefined;
  try {
    // Not joined: only the file system knows where `..` leads behind a link.
    return (await resolveLinks(isAbsolute(expanded) ? expanded : `${base ?? ""}/${expanded}`)).real;
  } catch {
    return undefined;
  }
}

function isInside(real: string, { gate }: CommandPlace): boolean {
  return [gate.root, ...gate.extraRoots].some((root) => isWithin(root, real));
}

function folderPattern({ use, real }: LeadingPath): string {
  return real === undefined ? use.text : `${withSlashes(use.isDirectory ? real : dirname(real)).replace(/\/$/, "")}/*`;
}

function nameIn({ root }: PathGate, real: string): string {
  return isWithin(root, real) ? wayWithin(root, real) : withSlashes(real);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
