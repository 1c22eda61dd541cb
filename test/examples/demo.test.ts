import { spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findTextFile } from "../../examples/demo/find-text-file.ts";
import { readText } from "../../examples/demo/read-file-tool.ts";

let folder = "";

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "throughline-demo-")));
  mkdirSync(join(folder, "work"));
  mkdirSync(join(folder, "work-of-others"));
  for (const name of ["secret.txt", "work-of-others/note.txt", "work/.env"]) writeFileSync(join(folder, name), "secret");
  writeFileSync(join(folder, "work/image.png"), Buffer.from([0x89, 0x50, 0, 0]));
  writeFileSync(join(folder, "work/note.txt"), "A note\n\nIt says that the tide is at nine. More follows.\n");
  symlinkSync("../secret.txt", join(folder, "work/README.md"));
  symlinkSync("note.txt", join(folder, "work/link.txt"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The demo as `npm run demo` starts it, from a folder that is not the package's. */
function demo(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { PATH: process.env["PATH"], npm_lifecycle_event: "demo", INIT_CWD: join(folder, "work") };
  return spawnSync(process.execPath, ["--import", "tsx", "examples/demo.ts", ...args], { env, encoding: "utf8" });
}

describe("the demo", () => {
  test("answers from the file that the tool read, and explains each kind of event once", { timeout: 30_000 }, () => {
    const { status, stdout, stderr } = demo();
    expect(stderr).toBe("");
    expect(stdout).toContain('→ read_file {"path":"link.txt"}');
    expect(stdout).toContain("It says: It says that the tide is at nine.");
    expect(stdout).toMatch(/answered: 2 steps, \d+ tokens in, \d+ out, \d+\.\d\d s\n$/);
    const kinds = [...stdout.matchAll(/^ {2}(\w+\.\w+) /gm)].map((match) => match[1]);
    expect(kinds).toEqual([...new Set(kinds)]);
    expect(kinds).toEqual(expect.arrayContaining(["prompt.admitted", "turn.started", "part.delta", "tool.started", "tool.finished", "turn.finished"]));
    // Not a terminal: no escape codes.
    expect(stdout).not.toContain("\u001b");
    expect(status).toBe(0);
  });

  test("says which keys it wants for a question of one's own", { timeout: 30_000 }, () => {
    const { status, stdout, stderr } = demo("What is this?");
    expect(stderr).toContain("set ANTHROPIC_API_KEY or OPENAI_API_KEY");
    expect(stdout).toBe("");
    expect(status).toBe(1);
  });
});

describe("its read_file tool", () => {
  test.each([
    ["../secret.txt", "outside the folder"],
    ["../work-of-others/note.txt", "outside the folder"],
    ["README.md", "outside the folder"],
    [".env", "hidden"],
    [".", "not a file"],
    ["image.png", "not a text file"],
    ["missing.txt", "does not exist"],
  ])("does not read %s", async (path, reason) => {
    await expect(readText(join(folder, "work"), path)).rejects.toThrow(reason);
  });

  test("reads files of the folder, also by a link and by an absolute path", async () => {
    for (const path of ["note.txt", "link.txt", join(folder, "work/note.txt")]) {
      expect(await readText(join(folder, "work"), path)).toContain("the tide is at nine");
    }
  });

  test("chooses the first file that it may read", async () => {
    expect(await findTextFile(join(folder, "work"))).toBe("link.txt");
  });
});
