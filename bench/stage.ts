import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "tsup";

/** A folder with the package as users get it, and the bench's programs beside it. */
export interface Stage {
  directory: string;
  remove(): Promise<void>;
}

/**
 * Builds the package with its own `tsup.config.ts` into a folder of its own, whatever `dist/` holds, so that what is
 * measured is the current source in its published form. The programs become plain JavaScript: a TypeScript loader in the
 * measured process would be measured too. They find the package by its name, as the folder is a copy of it.
 *
 * @param programs source files by the name that they get in `bench/` of the folder
 */
export async function buildStage(programs: Record<string, string> = { child: "bench/child.ts" }): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), "throughline-bench-"));
  await cp("package.json", join(directory, "package.json"));
  await symlink(resolve("node_modules"), join(directory, "node_modules"));
  await build({ outDir: join(directory, "dist"), dts: false, sourcemap: true, silent: true });
  await build({
    config: false,
    entry: programs,
    outDir: join(directory, "bench"),
    format: "esm",
    target: "es2022",
    external: ["throughline", "ai", "zod"],
    silent: true,
  });
  return { directory, remove: () => rm(directory, { recursive: true }) };
}
