import { execFileSync } from "node:child_process";
import { symlink, utimes } from "node:fs/promises";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, makeFolder, type Call } from "./workspace-under-test.ts";

describe("glob", () => {
  test("finds files by name, newest first, without what .gitignore leaves out", async () => {
    const folder = await makeFolder({ ".gitignore": "dist/\n*.log\n!keep.log\n", "src/a.ts": "", "src/deep/b.ts": "", "c.ts": "", "dist/d.ts": "", "x.log": "", "keep.log": "", "node_modules/m/e.ts": "", ".git/f.ts": "", ".hidden/g.ts": "" });
    for (const [index, name] of ["c.ts", "src/a.ts", ".hidden/g.ts", "src/deep/b.ts"].entries()) await utimes(folder.at(name), 0, 1_000 + index);
    const globs = ["**/*.ts", "*.ts", "src/**", "*.{log,md}", "**/[ab].ts", "src/?.ts"];
    const { results, asks } = await call(folder.path, globs.map((pattern) => ["glob", { pattern }]));
    expect(results.map((result) => result.split("\n"))).toEqual([["src/deep/b.ts", ".hidden/g.ts", "src/a.ts", "c.ts"], ["c.ts"], ["src/deep/b.ts", "src/a.ts"], ["keep.log"], ["src/deep/b.ts", "src/a.ts"], ["src/a.ts"]]);
    expect(asks).toEqual([]);
  });

  test("names are paths to other tools, also from a folder; links are not followed; nothing leads out", async () => {
    const outside = await makeFolder({ "o.ts": "" });
    const folder = await makeFolder({ "src/a.ts": "text" });
    await symlink(outside.path, folder.at("src/link"));
    const { results } = await call(folder.path, [["glob", { pattern: "**/*.ts", path: "src" }], ["glob", { pattern: "../**" }], ["glob", { pattern: "*", path: "src/a.ts" }], ["glob", { pattern: "*.py" }], ["read", { filePath: "src/a.ts" }]]);
    expect(results.slice(0, 4)).toEqual(["src/a.ts", expect.stringMatching(/^error: .*leads out of the folder/), expect.stringMatching(/^error: .*is a file/), "No file matches."]);
  });

  test("a hostile pattern takes no time", async () => {
    const folder = await makeFolder({ ["a".repeat(200)]: "" });
    const started = performance.now();
    const { results } = await call(folder.path, [["glob", { pattern: `${"*a".repeat(60)}b` }], ["glob", { pattern: "**/".repeat(60) + "b" }], ["glob", { pattern: "{a,b}".repeat(40) }]]);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(results).toEqual(["No file matches.", "No file matches.", expect.stringMatching(/^error: .*alternatives/)]);
  });
});

describe("list", () => {
  test("shows a tree, the upper levels first", async () => {
    const folder = await makeFolder({ "src/a.ts": "", "src/deep/b.ts": "", "README.md": "", "node_modules/x": "", "docs/c.md": "" });
    const { results } = await call(folder.path, [["list", {}], ["list", { path: "src" }], ["list", { ignore: ["deep", "docs/"] }]]);
    expect(results[0]).toBe("./\n  README.md\n  docs/\n    c.md\n  src/\n    a.ts\n    deep/\n      b.ts");
    expect(results[1]).toBe("src/\n  a.ts\n  deep/\n    b.ts");
    expect(results[2]).toBe("./\n  README.md\n  src/\n    a.ts");
  });

  test("says what it left out", async () => {
    const folder = await makeFolder(Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`deep/f${index}`, ""])));
    const { results } = await call(folder.path, [["list", {}]]);
    expect(results[0]?.split("\n")).toHaveLength(202);
    expect(results[0]).toContain("(251 entries; these are 200 of them. Give a path to see more.)");
  });
});

describe("grep", () => {
  test("finds lines with their files and numbers", async () => {
    const folder = await makeFolder({ ".gitignore": "dist", "src/a.ts": "one\nconst x = 1;\r\nthree x", "b.md": "x = 2", "dist/c.ts": "x = 3", "binary": Buffer.of(120, 32, 61, 0) });
    const { results } = await call(folder.path, [["grep", { pattern: "x =" }], ["grep", { pattern: "\\bx$", path: "src" }], ["grep", { pattern: "x", include: "*.md" }], ["grep", { pattern: "X", path: "src/a.ts" }], ["grep", { pattern: "(?i)X =", path: "src/a.ts" }]]);
    expect(results).toEqual(["b.md:\n  1: x = 2\n\nsrc/a.ts:\n  2: const x = 1;", "src/a.ts:\n  3: three x", "b.md:\n  1: x = 2", "No line matches.", "src/a.ts:\n  2: const x = 1;"]);
  });

  test("secrets are not searched, a wrong pattern says what is wrong, and what is found is limited", async () => {
    const folder = await makeFolder({ ".env": "KEY=1", "many.txt": "KEY\n".repeat(150), "long.txt": `LONG${"x".repeat(5_000)}` });
    const { results } = await call(folder.path, [["grep", { pattern: "KEY" }], ["grep", { pattern: "KEY(" }], ["grep", { pattern: "" }], ["grep", { pattern: "LONG" }]]);
    expect(results[0]).not.toContain(".env");
    expect(results[0]).toContain("  100: KEY\n\n(There are more; these are the first 100.");
    expect(results[0]).not.toContain("101: KEY");
    expect(results[1]).toMatch(/^error: .*pattern is no regular expression/);
    expect(results[2]).toMatch(/^error: .*pattern is empty/);
    expect(results[3]?.length).toBeLessThan(500);
  });

  test("a pattern that would take for ever ends as an error", { timeout: 20_000 }, async () => {
    const folder = await makeFolder({ "a.txt": "a".repeat(200) });
    const { results } = await call(folder.path, [["grep", { pattern: "^(a+)+$(?!x)b" }]], { workspace: { ripgrep: false } });
    expect(results[0]).toMatch(/^error: .*pattern takes too long/);
  });
});

/** Where ripgrep is; the tests that compare with it run there only. */
const ripgrep = process.env["RIPGREP"] ?? "rg";
const hasRipgrep = ((): boolean => {
  try {
    return execFileSync(ripgrep, ["--version"], { encoding: "utf8" }).startsWith("ripgrep");
  } catch {
    return false;
  }
})();

test.runIf(hasRipgrep)("grep answers the same with ripgrep and without, for any pattern", { timeout: 60_000 }, async () => {
  const texts = ["one Two_3 é café\n", "\tfoo(bar) [x]\r\nfoo-bar\r\n", "α1 ٣ \u00a0nbsp\nK\u212a ſ\n", "a.b*c\\d\n\n/path/to\n", "last"];
  const folder = await makeFolder(Object.fromEntries(texts.map((text, index) => [`f${index}.txt`, text])));
  const atom = fc.constantFrom("a", "o", "é", ".", "\\d", "\\w", "\\s", "\\W", "\\D", "\\S", "\\b", "\\B", "\\.", "\\(", "\\\\", "\\/", "-", "[a-f]", "[^\\w]", "[\\s\\d-]", "[.*]", "(?:oo|b)", "^", "$", "\\t", "K", "s", "(?=b)", "\\-", "[]", "[[]");
  const pattern = fc.tuple(fc.constantFrom("", "(?i)"), fc.array(fc.tuple(atom, fc.constantFrom("", "", "*", "+?", "?", "{1,2}")).map(([text, count]) => text + count), { minLength: 1, maxLength: 5 })).map(([flag, parts]) => flag + parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(pattern, { minLength: 20, maxLength: 20 }), async (patterns) => {
      const calls = patterns.map((each): Call => ["grep", { pattern: each }]);
      const [fast, own] = [await call(folder.path, [calls], { workspace: { ripgrep } }), await call(folder.path, [calls], { workspace: { ripgrep: false } })];
      expect(fast.results).toEqual(own.results);
    }),
    { numRuns: 20 },
  );
});
