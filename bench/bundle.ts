import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "tsup";
import type { Stage } from "./stage.ts";

/** A minified bundle: the entry and the files that it loads at once. */
export interface Bundle {
  gzippedBytes: number;
  /** What its modules import at once, before the bundler drops what nobody uses: paths, and names of what stays outside. */
  imports: string[];
}

interface Import {
  path: string;
  kind: string;
  external?: boolean;
}

/** What of esbuild's metafile is used here. */
interface Metafile {
  inputs: Record<string, { imports: Import[] }>;
  outputs: Record<string, { imports: Import[] }>;
}

/**
 * Bundles the core entry with its run-time dependencies: all of it, or only what an import loads at once, without what a
 * session loads when it first works.
 *
 * @throws {Error} a module is in its graph that must not be
 */
export async function bundleCore({ directory }: Stage, extent: "all" | "at once"): Promise<Bundle> {
  const core = await bundle({
    entry: join(directory, "dist/index.js"),
    outDir: join(directory, `bundle-core-${extent.replace(" ", "-")}`),
    noExternal: ["eventemitter3", "p-queue", "@ai-sdk/provider"],
    splitting: extent === "at once",
  });
  const forbidden = core.imports.filter((path) => /(^|node_modules\/)(ai|zod)(\/|$)/.test(path) || isBuiltin(path));
  if (forbidden.length > 0) throw new Error(`The core loads what it must not: ${forbidden.join(", ")}.`);
  return core;
}

/** Bundles `ai`, for comparison: with its dependencies too, and without zod, which it shares with its host. */
export function bundleSDK({ directory }: Stage): Promise<Bundle> {
  return bundle({ entry: join(directory, "node_modules/ai/dist/index.js"), outDir: join(directory, "bundle-ai"), noExternal: [/^(?!zod)/], splitting: false });
}

interface BundleOptions {
  entry: string;
  outDir: string;
  /** The packages that go in. What else is imported stays outside. */
  noExternal: (string | RegExp)[];
  /** Whether what is loaded later goes into files of its own. */
  splitting: boolean;
}

async function bundle({ entry, outDir, ...options }: BundleOptions): Promise<Bundle> {
  const fixed = { config: false, format: "esm", target: "es2022", minify: true, metafile: true, removeNodeProtocol: false, silent: true } as const;
  await build({ ...fixed, ...options, entry: { index: entry }, outDir });
  // esbuild wrote it.
  const { inputs, outputs } = JSON.parse(await readFile(join(outDir, "metafile-esm.json"), "utf8")) as Metafile;
  const files = filesAtOnce(outputs);
  const sizes = await Promise.all(files.map(async (path) => gzipSync(await readFile(path), { level: 9 }).byteLength));
  return {
    gzippedBytes: sizes.reduce((sum, size) => sum + size, 0),
    imports: Object.values(inputs).flatMap(({ imports }) => imports.filter(isAtOnce).map(({ path }) => path)),
  };
}

/** The entry's file, and those it imports statically. */
function filesAtOnce(outputs: Metafile["outputs"]): string[] {
  // A set gives what is added while it is walked, too.
  const found = new Set(Object.keys(outputs).filter((path) => path.endsWith("/index.js")));
  for (const path of found) {
    for (const imported of outputs[path]?.imports ?? []) if (isAtOnce(imported) && imported.external !== true) found.add(imported.path);
  }
  return [...found];
}

function isAtOnce({ kind }: Import): boolean {
  return kind !== "dynamic-import";
}
