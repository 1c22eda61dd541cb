import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Tool } from "throughline";
import { createWorkspaceTools } from "throughline/tools/workspace";
import { toolContext } from "./tool-context.ts";

/*
 * Random trees with links, and random paths into them: whatever a tool does without leave to go outside, nothing outside of the
 * root is read, made or changed; and what is inside, by the system's own judgement, can be read.
 */

const marker = "OUTSIDE";

const name = fc.constantFrom("a", "b", "A", "B", "c.txt", "C.TXT", "link", "Link", "..", ".", "root", "root2", "new");

/** `/` alone begins an absolute one, within the test's own folder. */
const path = fc.tuple(fc.constantFrom("", "", "", "/", "/root/"), fc.array(name, { minLength: 1, maxLength: 6 })).map(([start, names]) => ({ isAbsolute: start !== "", text: start + names.join("/") }));

const entry = fc.record({
  at: fc.array(fc.constantFrom("a", "b", "A", "root", "root2", "link", "Link"), { minLength: 1, maxLength: 4 }),
  kind: fc.constantFrom("file", "folder", "link"),
  target: path,
});

const operation = fc.record({ tool: fc.constantFrom("read", "write", "edit", "list", "glob", "grep"), path });

type Base = { path: string; root: string };

const absolute = (base: Base, { isAbsolute, text }: { isAbsolute: boolean; text: string }): string => (isAbsolute ? `${base.path}${text}` : text);

async function build(base: Base, entries: readonly (typeof entry extends fc.Arbitrary<infer Entry> ? Entry : never)[]): Promise<void> {
  await mkdir(join(base.root, "a"), { recursive: true });
  await mkdir(join(base.path, "root2"), { recursive: true });
  await writeFile(join(base.path, "root2/c.txt"), marker);
  await writeFile(join(base.root, "a/c.txt"), "inside");
  for (const { at, kind, target } of entries) {
    const place = join(base.path, ...at);
    // What does not fit into the tree so far is left out.
    const made = mkdir(dirname(place), { recursive: true }).then(async () => {
      const isInside = isIn(base.root, join(await realpath(dirname(place)), "x"));
      if (kind === "folder") await mkdir(place);
      else if (kind === "file") await writeFile(place, isInside ? "inside" : marker, { flag: "wx" });
      else await symlink(absolute(base, target), place);
    });
    await made.catch(() => undefined);
  }
}

function isIn(root: string, real: string): boolean {
  const way = relative(root, real);
  return way === "" || (way.split("/")[0] !== ".." && !way.startsWith("/"));
}

/** All that is outside of the root: names, contents, and when they were changed. */
async function outside(base: Base): Promise<string[]> {
  const seen: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const each of await readdir(folder, { withFileTypes: true })) {
      const place = join(folder, each.name);
      if (place === base.root) continue;
      const { mtimeMs } = each.isSymbolicLink() ? { mtimeMs: 0 } : await stat(place);
      seen.push(`${place} ${mtimeMs} ${each.isFile() ? await readFile(place, "utf8") : ""}`);
      if (each.isDirectory()) await visit(place);
    }
  };
  await visit(base.path);
  return seen.sort();
}

function inputOf(tool: string, text: string): Record<string, unknown> {
  switch (tool) {
    case "write":
      return { filePath: text, content: "written" };
    case "edit":
      return { filePath: text, oldString: "inside", newString: "changed" };
    case "read":
      return { filePath: text };
    case "list":
      return { path: text };
    case "glob":
      return { path: text, pattern: "**" };
    default:
      return { path: text, pattern: "." };
  }
}

test("nothing outside of the root is touched, and what is inside is found", { timeout: 120_000 }, async () => {
  let readInside = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 12 }), fc.array(operation, { minLength: 5, maxLength: 20 }), async (entries, operations) => {
      const folder = await realpath(await mkdtemp(join(tmpdir(), "oracle-")));
      const base = { path: folder, root: join(folder, "root") };
      try {
        await build(base, entries);
        const before = await outside(base);
        const tools: Record<string, Tool> = createWorkspaceTools({ root: base.root, ripgrep: false });
        for (const { tool, path: given } of operations) {
          const text = absolute(base, given);
          const input = inputOf(tool, text);
          const there = await realpath(text.startsWith("/") ? text : `${base.root}/${text}`).catch(() => undefined);
          const leave = await Promise.resolve(tools[tool]?.permission?.(input, toolContext())).catch(() => undefined);
          if (leave !== undefined && there !== undefined) expect(leave.also !== undefined).toBe(!isIn(base.root, there));
          // What needs further leave nobody gave: it runs as if nobody had judged it.
          const fresh = leave?.also === undefined ? input : { ...input };
          const result = await Promise.resolve(tools[tool]?.execute(fresh, toolContext())).then((value) => JSON.stringify(value), () => undefined);
          if (result === undefined) refused += 1;
          expect(result ?? "").not.toContain(marker);
          if (there === undefined || tool !== "read") continue;
          expect(result !== undefined).toBe(isIn(base.root, there));
          readInside += 1;
        }
        expect(await outside(base)).toEqual(before);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: 250 },
  );
  // The paths were not all beside the point.
  expect(readInside).toBeGreaterThan(10);
  expect(refused).toBeGreaterThan(50);
});
