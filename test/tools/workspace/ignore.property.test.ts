import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createWorkspaceTools } from "throughline/tools/workspace";
import { toolContext } from "./tool-context.ts";
import { makeFolder } from "./workspace-under-test.ts";

const names = fc.constantFrom("a", "b", "ab", "a.log", "b.txt", "x y");
const file = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const piece = fc.constantFrom("a", "b", "*", "?", "**", "*.log", "[ab]", "[!a]", "a*", "{a,b}", "x y", "\\a");
const line = fc.tuple(fc.constantFrom("", "", "!"), fc.constantFrom("", "/"), fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "/", " ")).map(([not, anchor, pieces, end]) => not + anchor + pieces.join("/") + end);
const ignoreFile = fc.tuple(fc.constantFrom("", "a/", "b/"), fc.array(line, { maxLength: 4 }));

test("glob leaves out exactly what git ignores", { timeout: 60_000 }, async () => {
  const folder = await makeFolder();
  const { glob } = createWorkspaceTools({ root: folder.path });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(file, { minLength: 1, maxLength: 10 }), fc.array(ignoreFile, { minLength: 1, maxLength: 2 }), async (files, ignoreFiles) => {
      await rm(folder.path, { recursive: true });
      await folder.write("keep", "");
      for (const each of files) await folder.write(each, "").catch(() => undefined);
      for (const [place, lines] of ignoreFiles) await folder.write(`${place}.gitignore`, lines.join("\n")).catch(() => undefined);
      execFileSync("git", ["init", "-q"], { cwd: folder.path });
      const listed = execFileSync("git", ["-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard", "-z"], { cwd: folder.path, encoding: "utf8" });
      const result = (await glob.execute({ pattern: "**" }, toolContext())) as { output: string };
      const found = result.output === "No file matches." ? [] : result.output.split("\n");
      expect(found.sort()).toEqual(listed.split("\0").filter((name) => name !== "").sort());
    }),
    { numRuns: 150 },
  );
});
