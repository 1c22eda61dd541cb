import { mkdir, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { createWorkspaceTools } from "throughline/tools/workspace";
import { toolContext } from "./tool-context.ts";
import { call, makeFolder } from "./workspace-under-test.ts";

const allowed = { permissions: [{ permission: "edit", action: "allow" }] } as const;

test("R139: a link that leads outside needs leave to go there, and the ask shows the link and where it leads", async () => {
  const outside = await makeFolder({ "a.ts": "outside" });
  const folder = await makeFolder();
  await symlink(outside.path, folder.at("vendor"));
  const { results, asks } = await call(folder.path, [["read", { filePath: "vendor/a.ts" }], ["edit", { filePath: "vendor/a.ts", oldString: "outside", newString: "changed" }], ["write", { filePath: "vendor/b.ts", content: "" }], ["read", { filePath: "vendor" }]]);
  expect(results[0]).toContain("1: outside");
  const [read, edit, write, list] = asks;
  expect(read).toMatchObject({ permission: "external_directory", patterns: [`${outside.path}/*`], title: `Read vendor/a.ts (a link, which leads to ${outside.path}/a.ts)` });
  expect(list?.patterns).toEqual([`${outside.path}/*`]);
  for (const ask of [edit, write]) expect([ask?.patterns.length, ask?.also]).toEqual([2, [expect.objectContaining({ permission: "external_directory", patterns: [`${outside.path}/*`] })]]);
  expect(edit?.patterns).toEqual([outside.at("a.ts"), "vendor/a.ts"]);
  expect(asks).toHaveLength(4);
  const refused = await call(folder.path, [["read", { filePath: "vendor/a.ts" }], ["write", { filePath: "vendor/c.ts", content: "" }]], { answer: () => ({ decision: "reject", message: "no" }) });
  expect(refused.results).toEqual([expect.stringMatching(/^error: .*rejected/), expect.stringMatching(/^error: .*rejected/)]);
});

test("a rule about either spelling of a path counts", async () => {
  const folder = await makeFolder({ "packages/a.ts": "text" });
  await symlink("packages", folder.at("vendor"));
  for (const pattern of ["vendor/*", "packages/*"]) {
    const { results } = await call(folder.path, [["read", { filePath: "vendor/a.ts" }]], { permissions: [{ permission: "read", pattern, action: "deny" }] });
    expect(results[0]).toMatch(/^error: .*not permitted/);
  }
});

test("R142: roots that are given through links contain what they lead to", async () => {
  const real = await makeFolder({ "a.ts": "inside" });
  const shared = await makeFolder({ "b.ts": "shared" });
  const links = await makeFolder();
  await symlink(real.path, links.at("workspace"));
  await symlink(shared.path, links.at("ide"));
  const paths = ["a.ts", real.at("a.ts"), links.at("workspace/a.ts"), shared.at("b.ts"), links.at("ide/b.ts")];
  const { results, asks } = await call(links.at("workspace"), paths.map((filePath) => ["read", { filePath }]), { workspace: { extraRoots: [links.at("ide")] } });
  expect(results.map((result) => /1: (\w+)/.exec(result)?.[1])).toEqual(["inside", "inside", "inside", "shared", "shared"]);
  expect(asks).toEqual([]);
});

test("a folder whose name begins like the root is outside, and a name that begins with two dots is inside", async () => {
  const base = await makeFolder({ "work/..notes": "inside", "work-old/a": "outside" });
  const { results, asks } = await call(base.at("work"), [["read", { filePath: "..notes" }], ["read", { filePath: "../work-old/a" }]], { answer: () => ({ decision: "reject", message: "no" }) });
  expect(results).toEqual([expect.stringContaining("1: inside"), expect.stringMatching(/^error: /)]);
  expect(asks).toHaveLength(1);
});

test("dots are resolved after links, as the system does, and a dangling link leads where it says", async () => {
  const outside = await makeFolder({ "deep/x": "", "secret": "outside" });
  const folder = await makeFolder({ "secret": "inside" });
  await symlink(outside.at("deep"), folder.at("link"));
  await symlink(outside.at("new"), folder.at("dangling"));
  const { asks } = await call(folder.path, [["read", { filePath: "link/../secret" }], ["write", { filePath: "dangling", content: "x" }]], { answer: () => ({ decision: "reject", message: "no" }) });
  expect(asks.map(({ permission, also }) => permission === "external_directory" || also?.[0]?.patterns.includes(`${outside.path}/*`))).toEqual([true, true]);
  await expect(outside.text("new")).rejects.toThrow("ENOENT");
});

test("secrets are not touched by any spelling; examples of them are, and the option lifts it", async () => {
  const names = [".env", ".env.local", "prod.env", "deep/id_rsa", "server.PEM", ".ssh/config", "k/.aws/credentials"];
  const folder = await makeFolder(Object.fromEntries([...names, ".env.example", "id_rsa.pub"].map((name) => [name, "SECRET"])));
  await symlink(".env", folder.at("harmless"));
  const { results } = await call(folder.path, [...names, "harmless"].map((filePath) => ["read", { filePath }]));
  for (const result of results) expect(result).toMatch(/^error: .*may hold keys or passwords/);
  const shown = await call(folder.path, [".env.example", "id_rsa.pub"].map((filePath) => ["read", { filePath }]));
  for (const result of shown.results) expect(result).toContain("SECRET");
  const lifted = await call(folder.path, [["read", { filePath: ".env" }]], { workspace: { secrets: [] } });
  expect(lifted.results[0]).toContain("SECRET");
  const written = await call(folder.path, [["write", { filePath: "sub/.env", content: "x" }]], allowed);
  expect(written.results[0]).toMatch(/^error: .*may hold keys/);
});

test("what is no path is refused, with what to do", async () => {
  const folder = await makeFolder();
  const { results } = await call(folder.path, ["", "a\0b", "C:\\Users\\a.ts", "\\\\server\\share", "https://x.y/a", "n".repeat(300)].map((filePath) => ["read", { filePath }]));
  expect(results[0]).toMatch(/The path is empty/);
  expect(results[1]).toMatch(/NUL character/);
  expect(results[2]).toMatch(/is a path of Windows/);
  expect(results[3]).toMatch(/is a path of Windows/);
  expect(results[4]).toMatch(/does not exist/);
  expect(results[5]).toMatch(/the name is too long/);
});

test("links in a circle end as an error", async () => {
  const folder = await makeFolder();
  await symlink("b", folder.at("a"));
  await symlink("a", folder.at("b"));
  const { results } = await call(folder.path, [["read", { filePath: "a" }], ["write", { filePath: "a/x", content: "" }]]);
  for (const result of results) expect(result).toMatch(/^error: .*links lead in a circle/);
});

test("what a person allowed is what is used: a folder that became a link meanwhile is not followed", async () => {
  const outside = await makeFolder({ "f": "outside" });
  const folder = await makeFolder({ "dir/f": "inside" });
  const { results } = await call(folder.path, [["write", { filePath: "dir/new", content: "x" }]], {
    beforeAnswer: async () => {
      await rename(folder.at("dir"), folder.at("moved"));
      await symlink(outside.path, folder.at("dir"));
    },
  });
  expect(results[0]).toMatch(/^error: .*was replaced or moved while the tool worked/);
  await expect(outside.text("new")).rejects.toThrow("ENOENT");
});

test("a swap between judgement and use does not lead outside, however it is timed", async () => {
  const outside = await makeFolder({ "f": "OUTSIDE" });
  const folder = await makeFolder({ "dir/f": "inside" });
  const { read, write } = createWorkspaceTools({ root: folder.path });
  await symlink(outside.path, folder.at("link"));
  let swapping = true;
  const swapper = (async () => {
    for (let swaps = 0; swapping; swaps += 1) {
      // The folder and the link change places. A write may make the folder anew while it is aside.
      await rename(folder.at("dir"), folder.at("aside"));
      await rename(folder.at("link"), folder.at("dir")).catch(() => undefined);
      for (let pause = 0; pause < swaps % 10; pause += 1) await stat(folder.path);
      await rename(folder.at("dir"), folder.at("link")).catch(() => rm(folder.at("dir"), { recursive: true }));
      await rename(folder.at("aside"), folder.at("dir")).catch(() => undefined);
      await stat(folder.at("dir")).catch(() => mkdir(folder.at("dir")));
      // Calm for a while, so that some calls meet the swap halfway, and some not at all.
      for (let pause = 0; pause < (swaps % 7) * 25; pause += 1) await stat(folder.path);
    }
  })();
  let done = 0;
  for (let round = 0; round < 200; round += 1) {
    const name = `n${round}`;
    const results = await Promise.allSettled([
      read.execute({ filePath: "dir/f" }, toolContext()),
      write.execute({ filePath: `dir/${name}`, content: "x" }, toolContext()),
      write.execute({ filePath: `dir/sub${round}/${name}`, content: "x" }, toolContext()),
    ]);
    for (const result of results) {
      if (result.status === "fulfilled") done += 1; 
      expect(JSON.stringify(result)).not.toContain("OUTSIDE");
    }
  }
  swapping = false;
  await swapper;
  expect(done).toBeGreaterThan(10);
  expect(await readdir(outside.path)).toEqual(["f"]);
});
