import type { Import, ImportGraph } from "./import-graph.ts";

/** The layers, lowest first. A new folder must be given its place here. */
export const layers: readonly (readonly string[])[] = [
  ["errors.ts", "util"],
  ["message"],
  ["storage", "tools", "permission", "compaction", "model"],
  ["session", "agent"],
  ["index.ts", "schema", "testing"],
];

/** The only imports within a layer: from → to. */
const arrows: readonly (readonly [string, string])[] = [
  ["util", "errors.ts"],
  ["agent", "session"],
];

const maxLines = 260;

/** Files and folders that have no layer. */
export function unlistedUnits(graph: ImportGraph): string[] {
  return unique([...graph.keys()].map(unitOf).filter((unit) => layerOf(unit) === -1)).map((unit) => `${unit} has no layer`);
}

/** Imports that go up, or sideways where no arrow is drawn. Type imports count. */
export function upwardImports(graph: ImportGraph): string[] {
  return ownImports(graph).flatMap(([from, to]) => {
    const [source, target] = [unitOf(from), unitOf(to)];
    const isDown = layerOf(target) < layerOf(source);
    const isArrow = arrows.some(([tail, head]) => tail === source && head === target);
    return source === target || isDown || isArrow ? [] : [`${from} must not import ${to}`];
  });
}

/** Imports of our own files that do not exist. */
export function danglingImports(graph: ImportGraph): string[] {
  return ownImports(graph).flatMap(([from, to]) => (graph.has(to) ? [] : [`${from} imports ${to}, which does not exist`]));
}

/** Files that reach themselves, type imports included: one message for each cycle found. */
export function importCycles(graph: ImportGraph): string[] {
  const cycles: string[] = [];
  const finished = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start !== -1) cycles.push([...trail.slice(start), file].join(" → "));
    if (start !== -1 || finished.has(file)) return;
    for (const { target } of graph.get(file)?.imports ?? []) {
      if (graph.has(target)) visit(target, [...trail, file]);
    }
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

/** Which packages an entry may load, by how it may load them. */
export interface EntryPackages {
  /** Loaded with the entry. */
  static: readonly string[];
  /** Loaded when something needs them. */
  dynamic: readonly string[];
  /** Known by their types only. */
  type: readonly string[];
}

/** Packages, `node:` modules included, that an entry's files import and may not. */
export function foreignImports(graph: ImportGraph, entry: string, allowed: EntryPackages): string[] {
  return reachableFrom(graph, entry).flatMap((file) =>
    (graph.get(file)?.imports ?? []).flatMap(({ target, kind }) => {
      const isAllowed = isOwn(target) || mayImport(kind, target, allowed);
      return isAllowed ? [] : [`${file} (${kind}) imports ${target}, which ${entry} must not need`];
    }),
  );
}

/** `export *` and default exports: both make public names by accident. */
export function forbiddenExports(graph: ImportGraph): string[] {
  return [...graph].flatMap(([file, { forbiddenExports: words }]) => words.map((word) => `${file} has ${word}`));
}

/** Files that hold more than one concept, by their length. */
export function overlongFiles(graph: ImportGraph): string[] {
  return [...graph].flatMap(([file, { lines }]) => (lines > maxLines ? [`${file} has ${lines} lines, more than ${maxLines}`] : []));
}

/** What is loaded at once may also be loaded later; what may be loaded at all may be named in types. */
function mayImport(kind: Import["kind"], target: string, allowed: EntryPackages): boolean {
  if (allowed.static.includes(target)) return true;
  if (kind !== "static" && allowed.dynamic.includes(target)) return true;
  return kind === "type" && allowed.type.includes(target);
}

/** The files that an entry leads to, over every kind of import. */
function reachableFrom(graph: ImportGraph, entry: string): string[] {
  const reached = new Set([entry]);
  // A set's iteration also visits what is added on the way.
  for (const file of reached) {
    for (const { target } of graph.get(file)?.imports ?? []) if (graph.has(target)) reached.add(target);
  }
  return [...reached];
}

function ownImports(graph: ImportGraph): [from: string, to: string][] {
  return [...graph].flatMap(([from, { imports }]) =>
    imports.filter(({ target }) => isOwn(target)).map(({ target }): [string, string] => [from, target]),
  );
}

/** Our own files are imported by their path, extension included; packages never end so. */
function isOwn(target: string): boolean {
  return target.endsWith(".ts");
}

/** The folder of a file, or the file itself when it stands in the source folder. */
function unitOf(file: string): string {
  return file.split("/", 1)[0] ?? file;
}

function layerOf(unit: string): number {
  return layers.findIndex((layer) => layer.includes(unit));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
