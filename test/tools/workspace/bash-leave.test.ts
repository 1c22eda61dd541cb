import { mkdir, symlink } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { PermissionRule } from "throughline";
import { call, makeFolder, type Results } from "./workspace-under-test.ts";

const allow = (permission: string, pattern = "*"): PermissionRule => ({ permission, pattern, action: "allow" });
const denyRule = (permission: string, pattern: string): PermissionRule => ({ permission, pattern, action: "deny" });

const bash = (root: string, command: string, permissions: PermissionRule[]): Promise<Results> => call(root, [["bash", { command }]], { permissions });

describe("when a command is asked about", () => {
  test("always, unless a rule says otherwise", async () => {
    const { path } = await makeFolder();
    const { asks } = await bash(path, "echo hello", []);
    expect(asks).toMatchObject([{ permission: "bash", patterns: ["echo hello"], always: ["echo *"], title: "echo hello" }]);
    expect((await bash(path, "echo hello", [allow("bash", "echo *")])).asks).toEqual([]);
    expect((await bash(path, "echo hello", [allow("*"), denyRule("bash", "echo *")])).results[0]).toMatch(/^error: /);
  });

  test("each of a chain's commands needs leave, and always saves what was shown", async () => {
    const { path } = await makeFolder();
    const { asks } = await call(path, [["bash", { command: "echo a && pwd" }], ["bash", { command: "pwd; echo b" }], ["bash", { command: "echo c; ls" }]], { answer: () => ({ decision: "always" }) });
    expect(asks.map(({ patterns, always }) => [patterns, always])).toEqual([
      [["echo a", "pwd"], ["echo *", "pwd *"]],
      [["echo c", "ls"], ["echo *", "ls *"]],
    ]);
  });

  test("what cannot be accounted for, though everything is allowed, and again after always", async () => {
    const { path } = await makeFolder();
    const { asks, results } = await call(path, [["bash", { command: "X=echo; $X hello" }], ["bash", { command: "X=echo; $X hello" }]], { permissions: [allow("*")], answer: () => ({ decision: "always" }) });
    expect(asks).toHaveLength(2);
    expect(results).toEqual(["hello\n", "hello\n"]);
  });

  test("R130: what is only known when it runs, where a rule denies something; no always answers that", async () => {
    const { path } = await makeFolder({ "notes.txt": "n" });
    const command = "cat note?.txt";
    const { asks, results } = await call(path, [["bash", { command }], ["bash", { command: "cat notes.txt" }], ["bash", { command }]], { permissions: [allow("*"), denyRule("bash", "*.env*")], answer: () => ({ decision: "always" }) });
    expect(asks).toMatchObject([{ patterns: [command], always: [] }, { patterns: [command], always: [] }]);
    expect(asks[0]?.reason).toContain("only known when it runs");
    expect(results).toEqual(["n", "n", "n"]);
    expect((await bash(path, command, [allow("*")])).asks).toEqual([]);
    expect((await bash(path, command, [denyRule("bash", "*"), allow("bash", "cat *")])).asks).toEqual([]);
    for (const denied of ['f=.env && cat "$f"', 'cat .e""nv']) expect((await bash(path, denied, [allow("*"), denyRule("bash", "*.env*")])).results[0], denied).toMatch(/^error: /);
  });

  test("a destructive command, though everything is allowed; a rule that names it lifts that", async () => {
    const { path } = await makeFolder({ ".git/x": "" });
    const command = "rm -rf .git";
    const { asks } = await bash(path, command, [allow("*")]);
    expect(asks).toHaveLength(1);
    expect(asks[0]?.impact).toMatch(/Removes whole directories/);
    expect((await bash(path, command, [allow("*"), allow("destructive", "rm -rf .git")])).asks).toEqual([]);
    expect((await bash(path, command, [allow("*"), allow("destructive", "mkfs*")])).asks).toHaveLength(1);
  });

  test("one that reads or writes outside of the workspace, by whatever name", async () => {
    const outside = await makeFolder({ "a/secret": "x" });
    const folder = await makeFolder({ "in/file": "y" });
    await symlink(outside.at("a"), folder.at("link"));
    await mkdir(folder.at("sub"));
    const rules = [allow("bash"), allow("edit")];
    for (const command of [`cat ${outside.at("a", "secret")}`, "cat link/secret", "cat in/../link/secret", "cd link && cat secret", `cat < ${outside.at("a", "secret")}`, `echo x > ${outside.at("a", "new")}`, "echo x > link/new", "f=in/file; cat $f", `ls ${outside.at("a")}`]) {
      const { asks } = await call(folder.path, [["bash", { command }]], { permissions: rules, answer: () => ({ decision: "reject", message: "no" }) });
      expect(asks, command).toHaveLength(1);
    }
    const { asks } = await bash(folder.path, "cat link/secret", rules);
    expect(JSON.stringify(asks)).toContain(`${outside.at("a")}/*`);
    for (const command of ["cat in/file", "cat sub/../in/file", `cat ${folder.at("in", "file")}`, "cd in && cat file", "echo x > $TMPDIR/y; cat $TMPDIR/y", "ls 2> /dev/null"]) {
      expect((await bash(folder.path, command, rules)).asks, command).toEqual([]);
    }
    expect((await bash(folder.path, `cat ${outside.at("a", "secret")}`, [...rules, allow("external_directory", `${outside.at("a")}/*`)])).results).toEqual(["x"]);
  });

  test("one that writes a file by redirection needs the leave to edit it", async () => {
    const folder = await makeFolder();
    expect((await bash(folder.path, "echo x > new", [allow("bash")])).asks).toHaveLength(1);
    expect((await bash(folder.path, "echo x > new", [allow("bash"), denyRule("edit", "new")])).results[0]).toMatch(/^error: /);
    expect((await bash(folder.path, "echo x > new", [allow("bash"), allow("edit", "new")])).asks).toEqual([]);
    expect(await folder.text("new")).toBe("x\n");
  });

  test("one that names a file with keys, though everything is allowed", async () => {
    const folder = await makeFolder({ ".env": "KEY=1" });
    expect((await bash(folder.path, "cat .env", [allow("*")])).asks).toHaveLength(1);
    expect((await bash(folder.path, "cat .env", [allow("*"), allow("secret")])).asks).toEqual([]);
  });
});
