import { chmod, link, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { call, makeFolder, storedCalls } from "./workspace-under-test.ts";

const allowed = { permissions: [{ permission: "*", action: "allow" }] } as const;

test("write asks with the diff and what it would change, then makes the file and its folders", async () => {
  const folder = await makeFolder();
  const { results, asks, session } = await call(folder.path, [["write", { filePath: "src/new/a.ts", content: "one\ntwo\n" }]]);
  expect(await folder.text("src/new/a.ts")).toBe("one\ntwo\n");
  expect(results).toEqual(["Done. Creates src/new/a.ts: +2 −0 lines."]);
  expect(asks).toMatchObject([{ permission: "edit", patterns: ["src/new/a.ts"], always: ["*"], title: "Create src/new/a.ts", impact: "Creates src/new/a.ts: +2 −0 lines", diff: "--- /dev/null\n+++ src/new/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n" }]);
  const [part] = await storedCalls(session);
  expect(part?.state).toMatchObject({ title: "src/new/a.ts", metadata: { filepath: folder.at("src/new/a.ts"), additions: 2, deletions: 0, exists: false } });
});

test("one always covers writes and edits of the whole workspace, for the session", async () => {
  const folder = await makeFolder();
  const steps = [["write", { filePath: "a.ts", content: "a" }], ["write", { filePath: "deep/b.ts", content: "b" }], ["edit", { filePath: "a.ts", oldString: "a", newString: "c" }]] as const;
  const { asks } = await call(folder.path, steps, { answer: () => ({ decision: "always" }) });
  expect(asks).toHaveLength(1);
  expect(await folder.text("a.ts")).toBe("c");
});

test("nothing is written when the person says no", async () => {
  const folder = await makeFolder({ "a.ts": "old" });
  await call(folder.path, [["read", { filePath: "a.ts" }], ["write", { filePath: "a.ts", content: "new" }]], { answer: () => ({ decision: "reject", message: "no" }) });
  expect(await folder.text("a.ts")).toBe("old");
});

test("an existing file has to be read first, and again when it has changed since", async () => {
  const folder = await makeFolder({ "a.ts": "old\n" });
  const { results } = await call(folder.path, [["write", { filePath: "a.ts", content: "new\n" }], ["edit", { filePath: "a.ts", oldString: "old", newString: "new" }]], allowed);
  expect(results).toEqual([expect.stringMatching(/^error: .*a\.ts exists, and you have not read it/), expect.stringMatching(/you have not read it/)]);
  const other = await makeFolder({ "a.ts": "old\n" });
  const changed = await call(other.path, [["read", { filePath: "a.ts" }], ["change", {}], ["edit", { filePath: "a.ts", oldString: "o", newString: "0" }], ["read", { filePath: "a.ts" }], ["edit", { filePath: "a.ts", oldString: "o", newString: "0" }]], { ...allowed, alsoTools: { change: () => writeFile(other.at("a.ts"), "odd\n") } });
  expect(changed.results.slice(2)).toEqual([expect.stringMatching(/^error: .*a\.ts has changed since you read it/), expect.any(String), expect.stringMatching(/^Done/)]);
  expect(await other.text("a.ts")).toBe("0dd\n");
});

test("R173: parallel edits of one file are both applied", async () => {
  const folder = await makeFolder({ "f": Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join("") });
  const edit = (from: string, to: string) => ["edit", { filePath: "f", oldString: from, newString: to }] as const;
  const { results } = await call(folder.path, [["read", { filePath: "f" }], [edit("line 50\n", "A\n"), edit("line 75\n", "B\n"), edit("line 10\n", "C\n")]], allowed);
  expect(results.slice(1)).toEqual(Array(3).fill(expect.stringMatching(/^Done/)));
  const text = await folder.text("f");
  for (const line of ["\nA\n", "\nB\n", "\nC\n"]) expect(text).toContain(line);
});

test("R174: two spellings of one path share a lock; the mode stays; a reader sees old or new", async () => {
  const old = "o".repeat(20_000_000);
  const folder = await makeFolder({ "f": old });
  await chmod(folder.at("f"), 0o600);
  await symlink("f", folder.at("link"));
  let reading = true;
  const torn: number[] = [];
  const reader = (async () => {
    while (reading) {
      const text = await folder.text("f");
      if (text !== old && !/^n+$/.test(text)) torn.push(text.length);
    }
  })();
  const { results } = await call(folder.path, [["read", { filePath: "f" }], [["write", { filePath: "./f", content: "n".repeat(20_000_000) }], ["write", { filePath: "link", content: "n".repeat(20_000_000) }]]], allowed);
  reading = false;
  await reader;
  expect(results.slice(1)).toEqual(Array(2).fill(expect.stringMatching(/^Done/)));
  expect(torn).toEqual([]);
  expect((await stat(folder.at("f"))).mode & 0o777).toBe(0o600);
  expect((await readdir(folder.path)).sort()).toEqual(["f", "link"]);
});

test("line endings and byte order mark are kept, by edit and by write", async () => {
  const folder = await makeFolder({ "edit.txt": "\ufeffa\r\nb\r\nc\r\n", "write.txt": "\ufeffa\r\nb\r\n" });
  await call(folder.path, [["read", { filePath: "edit.txt" }], ["edit", { filePath: "edit.txt", oldString: "a\nb\n", newString: "x\ny\nz\n" }], ["read", { filePath: "write.txt" }], ["write", { filePath: "write.txt", content: "new\nlines\n" }]], allowed);
  expect(await folder.text("edit.txt")).toBe("\ufeffx\r\ny\r\nz\r\nc\r\n");
  expect(await folder.text("write.txt")).toBe("\ufeffnew\r\nlines\r\n");
});

test("what cannot be decoded is not damaged; what is read-only is not replaced; git's own files are left alone", async () => {
  const folder = await makeFolder({ "latin.txt": Buffer.from("caf\xe9\n", "latin1"), "locked.txt": "a", ".git/config": "a" });
  await chmod(folder.at("locked.txt"), 0o444);
  const edits = ["latin.txt", "locked.txt", ".git/config"].flatMap((filePath) => [["read", { filePath }], ["edit", { filePath, oldString: "a", newString: "b" }]] as const);
  const { results } = await call(folder.path, [...edits, ["write", { filePath: ".git/hooks/pre-commit", content: "" }]], allowed);
  const image = await makeFolder({ "p.png": Buffer.from("iVBORw0KGgoAAAA=", "base64") });
  expect((await call(image.path, [["read", { filePath: "p.png" }], ["write", { filePath: "p.png", content: "" }]], allowed)).results[1]).toMatch(/^error: .*p\.png is a binary file/);
  expect(results[1]).toMatch(/^error: .*latin\.txt is not encoded as UTF-8/);
  if (process.getuid?.() !== 0) expect(results[3]).toMatch(/^error: .*locked\.txt is read-only/);
  expect(results[5]).toMatch(/^error: .*\.git\/config belongs to git itself/);
  expect(results[6]).toMatch(/^error: .*belongs to git itself/);
});

test("a hard link is cut: the file's other name keeps what it had", async () => {
  const outside = await makeFolder({ "kept": "old" });
  const folder = await makeFolder();
  await link(outside.at("kept"), folder.at("f"));
  await call(folder.path, [["read", { filePath: "f" }], ["write", { filePath: "f", content: "new" }]], allowed);
  expect([await folder.text("f"), await outside.text("kept")]).toEqual(["new", "old"]);
});

test("the diff in the metadata is one that others can apply", async () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj";
  const folder = await makeFolder({ "f": before });
  const { session } = await call(folder.path, [["read", { filePath: "f" }], [["edit", { filePath: "f", oldString: "b", newString: "B\nB" }], ["edit", { filePath: "f", oldString: "j", newString: "j\n" }]]], allowed);
  const diffs = (await storedCalls(session)).flatMap(({ tool, state }) => (tool === "edit" ? [state.metadata["diff"] as string] : []));
  expect(diffs.reduce((text, diff) => String(applyPatch(text, diff)), before)).toBe(await folder.text("f"));
});
