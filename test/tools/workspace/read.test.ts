import { mkdir, symlink } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { call, makeFolder, storedCalls } from "./workspace-under-test.ts";

test("a text comes with line numbers, and says that it is all", async () => {
  const folder = await makeFolder({ "a.txt": "one\ntwo\n" });
  const { results, asks } = await call(folder.path, [["read", { filePath: "a.txt" }]]);
  expect(results).toEqual(["<path>a.txt</path>\n<type>file</type>\n<content>\n1: one\n2: two\n\n(End of file: 2 lines.)\n</content>"]);
  expect(asks).toEqual([]);
});

test("a range of lines, and where to read on; behind the end an error says how many lines there are", async () => {
  const folder = await makeFolder({ "a.txt": Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join("\n") });
  const { results } = await call(folder.path, [["read", { filePath: "a.txt", offset: 4, limit: 2 }], ["read", { filePath: "a.txt", offset: 10 }], ["read", { filePath: "a.txt", offset: 11 }]]);
  expect(results[0]).toContain("4: line 4\n5: line 5\n\n(Lines 4 to 5 of 10. Read on with offset 6.)");
  expect(results[1]).toContain("10: line 10\n\n(End of file: 10 lines.)");
  expect(results[2]).toMatch(/^error: .*offset 11 is behind the end of a\.txt, which has 10 lines/);
});

test("an empty file, Windows line endings, a byte order mark, UTF-16", async () => {
  const utf16 = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("hé\nllo", "utf16le")]);
  const folder = await makeFolder({ "empty": "", "crlf.txt": "\ufeffa\r\nb\r\n", "wide.txt": utf16 });
  const { results } = await call(folder.path, ["empty", "crlf.txt", "wide.txt"].map((filePath) => ["read", { filePath }]));
  expect(results[0]).toContain("(The file is empty.)");
  expect(results[1]).toContain("<content>\n1: a\n2: b\n\n(End");
  expect(results[2]).toContain("1: hé\n2: llo\n");
});

test("long lines are cut between characters, and long files at a size", async () => {
  const folder = await makeFolder({ "long.txt": `${"x".repeat(1_999)}😀${"y".repeat(500)}\nnext`, "big.txt": `${"z".repeat(999)}\n`.repeat(100) });
  const { results } = await call(folder.path, [["read", { filePath: "long.txt" }], ["read", { filePath: "big.txt" }]]);
  expect(results[0]).toContain(`1: ${"x".repeat(1_999)}… (line cut: it has 2501 characters)\n2: next`);
  expect(results[1]).toMatch(/\(Lines 1 to 43 of 100\. Read on with offset 44\.\)/);
});

test("a file too large for memory is read up to the end of the page", async () => {
  const folder = await makeFolder({ "huge.log": `${"é".repeat(60)}\n`.repeat(120_000) });
  const { results } = await call(folder.path, [["read", { filePath: "huge.log", offset: 119_999 }], ["read", { filePath: "huge.log", offset: 2, limit: 3 }]]);
  expect(results[0]).toContain(`119999: ${"é".repeat(60)}\n120000: ${"é".repeat(60)}\n\n(End of file: 120000 lines.)`);
  expect(results[1]).toContain("(Lines 2 to 4. Read on with offset 5.)");
});

test("a directory lists its entries, directories and links marked, by pages", async () => {
  const folder = await makeFolder({ "src/b.ts": "", "src/a.ts": "", "src/deep/c.ts": "" });
  await symlink("a.ts", folder.at("src/link"));
  const { results } = await call(folder.path, [["read", { filePath: "src" }], ["read", { filePath: "src/", offset: 2, limit: 1 }]]);
  expect(results[0]).toBe("<path>src</path>\n<type>directory</type>\n<content>\na.ts\nb.ts\ndeep/\nlink -> a.ts\n\n(4 entries.)\n</content>");
  expect(results[1]).toContain("b.ts\n\n(2 more entries: read on with offset 3.)");
});

test("images and PDF files are attachments by their content; other binary files are refused", async () => {
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  const folder = await makeFolder({ "image.txt": png, "paper.pdf": "%PDF-1.4\n%%EOF", "program": Buffer.of(127, 69, 76, 70, 0, 1, 2, 3) });
  const { results, session } = await call(folder.path, ["image.txt", "paper.pdf", "program"].map((filePath) => ["read", { filePath }]));
  expect(results[0]).toContain("image.txt is shown to you: image/png");
  expect(results[2]).toMatch(/^error: .*program is a binary file of 8 bytes/);
  const attachments = (await storedCalls(session)).flatMap(({ state }) => state.attachments ?? []);
  expect(attachments.map(({ mime, filename }) => [mime, filename]).sort()).toEqual([["application/pdf", "paper.pdf"], ["image/png", "image.txt"]]);
  expect(attachments.find(({ mime }) => mime === "image/png")?.url).toBe(`data:image/png;base64,${png.toString("base64")}`);
});

test("a path that is not there names what resembles it", async () => {
  const folder = await makeFolder({ "src/index.ts": "" });
  const { results } = await call(folder.path, [["read", { filePath: "src/indx.ts" }], ["read", { filePath: "lib/index.ts" }], ["read", { filePath: "src/index.ts/x" }]]);
  expect(results[0]).toMatch(/^error: .*src\/indx\.ts does not exist\. Did you mean src\/index\.ts\?/);
  expect(results[1]).toMatch(/^error: .*neither does its folder lib\. Look for it with the glob tool, e\.g\. pattern "\*\*\/index\.ts"/);
  expect(results[2]).toMatch(/^error: .*a part of the path is a file and no directory/);
});

test("a pipe is refused, and not waited for", async () => {
  const folder = await makeFolder();
  execFileSync("mkfifo", [folder.at("pipe")]);
  await mkdir(folder.at("d"));
  const { results } = await call(folder.path, [["read", { filePath: "pipe" }], ["read", { filePath: "/dev/null" }]]);
  expect(results[0]).toMatch(/^error: .*pipe is neither a file nor a directory/);
  expect(results[1]).toMatch(/^error: .*neither a file nor a directory/);
});
