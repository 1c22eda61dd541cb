import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { createWorkspaceTools, type BashOptions } from "throughline/tools/workspace";
import { call, makeFolder, storedCalls, type Results } from "./workspace-under-test.ts";
import { toolContext } from "./tool-context.ts";

const allowAll = [{ permission: "*", action: "allow" as const }];

const bash = (root: string, commands: readonly (string | Record<string, unknown>)[], bashOptions: BashOptions = {}): Promise<Results> =>
  call(root, commands.map((command) => ["bash", typeof command === "string" ? { command } : command] as const), { permissions: allowAll, workspace: { bash: bashOptions } });

/** Also of one that has ended, until its parent looks. */
function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

describe("what a command comes back as", () => {
  test("both streams in their order, and a note where there was none", async () => {
    const { path } = await makeFolder();
    const { results } = await bash(path, ["echo one; echo two >&2; echo three", "true"]);
    expect(results).toEqual(["one\ntwo\nthree\n", "(It succeeded, and wrote nothing.)"]);
  });

  test("a failure is an error with the exit code, what it means, and the last that was written", async () => {
    const { path } = await makeFolder();
    const { results } = await bash(path, ["echo before; echo why >&2; exit 3", "nosuchprogram --x", "kill -SEGV $$", "false"]);
    expect(results[0]).toMatch(/^error: .*exit code 3 \(the command says so itself\)\.\nThe last that it wrote:\nbefore\nwhy\n/s);
    expect(results[1]).toMatch(/exit code 127 \(command not found: .*nosuchprogram/s);
    expect(results[2]).toMatch(/signal SIGSEGV \(it crashed/);
    expect(results[3]).toMatch(/exit code 1 .*It wrote nothing\./s);
  });

  test("its input is empty: what asks for an answer does not wait for ever", async () => {
    const { path } = await makeFolder();
    expect((await bash(path, ["read x; echo \"got '$x'\""])).results).toEqual(["got ''\n"]);
  });

  test("a command that cannot start says why", async () => {
    const { path } = await makeFolder();
    expect((await bash(path, [{ command: "ls", workdir: "nowhere" }])).results[0]).toMatch(/could not be started/);
  });

  test("the title is what the model says that it does", async () => {
    const { path } = await makeFolder();
    const { session } = await bash(path, [{ command: "true", description: "Does nothing" }, "true"]);
    expect((await storedCalls(session)).map(({ state }) => state.title).sort()).toEqual(["Does nothing", "true"]);
  });
});

describe("where it runs", () => {
  test("a directory outlasts the command, in the workspace only", async () => {
    const folder = await makeFolder({ "a/b/file": "" });
    const { results } = await bash(folder.path, ["cd a", "cd b; ls", "pwd", "cd /", "pwd", { command: "pwd", workdir: "a" }]);
    expect(results[1]).toBe("file\n");
    expect(results[2]).toBe(`${folder.at("a", "b")}\n`);
    expect(results[3]).toContain("outside of the workspace");
    expect(results[4]).toBe(`${folder.path}\n`);
    expect(results[5]).toBe(`${folder.at("a")}\n`);
  });

  test("one that is gone, or of a command that failed, is not kept", async () => {
    const folder = await makeFolder({ "a/b/file": "" });
    const { results } = await bash(folder.path, ["cd a/b", "rm -r ../b", "pwd", "cd a; false", "pwd"]);
    expect([results[2], results[4]]).toEqual([`${folder.path}\n`, `${folder.path}\n`]);
  });

  test("variables do not reach it unless they are named, and secrets of this process stay here", async () => {
    const { path } = await makeFolder();
    process.env["SOME_API_KEY"] = "secret";
    const { results } = await bash(path, ["env; echo $SOME_API_KEY.", "export A=1", "echo $A."], { env: ({ sessionID }) => ({ OF_SESSION: sessionID, PAGER: undefined, HOME: "/home/x" }) });
    delete process.env["SOME_API_KEY"];
    expect(results[0]).not.toContain("secret");
    expect(results[0]).toMatch(/OF_SESSION=ses/);
    expect(results[0]).toMatch(/^HOME=\/home\/x$/m);
    expect(results[0]).not.toMatch(/^PAGER=/m);
    expect(results[2]).toBe(".\n");
    const inherited = await bash(path, ["echo $SHELL_TEST"], { inheritEnv: ["PATH"], env: { SHELL_TEST: "given" } });
    expect(inherited.results).toEqual(["given\n"]);
  });

  test("temporary files have a folder of the session, which goes with it", async () => {
    const { path } = await makeFolder();
    const { results, session } = await bash(path, ["echo $TMPDIR; echo x > $TMPDIR/y", "cat $TMPDIR/y"]);
    const folder = results[0]?.trim() ?? "";
    expect(results[1]).toBe("x\n");
    expect(folder).toMatch(new RegExp(`^${tmpdir()}/[0-9a-f-]{36}$`));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await session.remove();
    expect(existsSync(folder)).toBe(false);
  });
});

describe("how it ends", { timeout: 20_000 }, () => {
  test("after its time, with all that it started, also what does not heed the first signal", async () => {
    const folder = await makeFolder();
    const { results } = await bash(folder.path, [{ command: "trap '' TERM; echo $$ > pid; (trap '' TERM; while :; do sleep 0.05; done) & echo started; while :; do sleep 0.05; done", timeout: 150 }], { killGraceMs: 100 });
    expect(results[0]).toMatch(/did not end within 150 ms.*started/s);
    const group = Number(await folder.text("pid"));
    await expect.poll(() => isAlive(-group), { timeout: 10_000 }).toBe(false);
  });

  test("at once when the turn is aborted", async () => {
    const folder = await makeFolder();
    const tool = createWorkspaceTools({ root: folder.path }).bash;
    const abort = new AbortController();
    const context = { ...toolContext(), abortSignal: abort.signal };
    const running = Promise.resolve(tool.execute({ command: "echo $$ > pid; sleep 60" }, context)).then(() => "ended", (error: unknown) => String(error));
    while ((await readFile(folder.at("pid"), "utf8").catch(() => "")) === "") await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort();
    expect(await running).toContain("aborted");
    const group = Number(await folder.text("pid"));
    await expect.poll(() => isAlive(-group), { timeout: 10_000 }).toBe(false);
  });

  test("processes in the background do not hold it open, and end with the session", async () => {
    const folder = await makeFolder();
    const { results, session } = await bash(folder.path, ["sleep 60 & echo $! > pid; echo done"]);
    expect(results[0]).toContain("done\n");
    expect(results[0]).toContain("left processes running");
    const background = Number(await folder.text("pid"));
    expect(isAlive(background)).toBe(true);
    await session.remove();
    await expect.poll(() => isAlive(background), { timeout: 10_000 }).toBe(false);
  });

  test("when its output would fill the disk", async () => {
    const { path } = await makeFolder();
    expect((await bash(path, ["yes"], { maxOutputBytes: 100_000, killGraceMs: 50 })).results[0]).toMatch(/filled the disk/);
  });
});

test("200 MB in pieces of 4 kB cost little memory, and both ends are kept", { timeout: 30_000 }, async () => {
  const { path } = await makeFolder();
  const tool = createWorkspaceTools({ root: path }).bash;
  const before = process.memoryUsage().rss;
  let peak = 0;
  const poll = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss - before)), 10);
  const pieces = `node -e 'const piece = Buffer.alloc(4095, "x").toString() + "\\n"; const fs = require("fs"); fs.writeSync(1, "first\\n"); for (let i = 0; i < 50000; i++) fs.writeSync(1, piece); fs.writeSync(1, "last\\n");'`;
  const result = await tool.execute({ command: pieces }, toolContext());
  clearInterval(poll);
  if (!("output" in result)) throw new Error("The tool gave no result.");
  expect(result.metadata["bytes"]).toBe(50_000 * 4_096 + 11);
  expect(result.output).toMatch(/^first\n/);
  expect(result.output).toMatch(/\nlast\n$/);
  expect(result.output.length).toBeLessThan(45_000);
  const file = /All of it is in (\S+):/.exec(result.output)?.[1] ?? "";
  expect(result.metadata["outputPath"]).toBe(file);
  expect((await stat(file)).size).toBe(50_000 * 4_096 + 11);
  expect(peak).toBeLessThan(30_000_000);
});

test("an output that is cut within a character stays text", async () => {
  const { path } = await makeFolder();
  const { results } = await bash(path, [`node -e 'process.stdout.write("a" + "🎉".repeat(400000))'`]);
  expect(results[0]).not.toContain("\ufffd");
  expect(results[0]).toContain("🎉");
});

test("wrong options are refused at once", () => {
  expect(() => createWorkspaceTools({ root: "/x", bash: { shell: "/bin/zsh" } })).toThrow(/bash, sh, dash or ash/);
  expect(() => createWorkspaceTools({ root: "/x", bash: { timeoutMs: -1 } })).toThrow(/timeoutMs/);
  expect(createWorkspaceTools({ root: "/x", bash: false })).not.toHaveProperty("bash");
});

