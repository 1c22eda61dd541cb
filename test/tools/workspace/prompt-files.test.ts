import { symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { createAgent, memoryStorage } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { workspaceFiles, workspaceInstructions } from "throughline/tools/workspace";
import { expectDone, start, textsIn } from "../../session/session-under-test.ts";
import { makeFolder } from "./workspace-under-test.ts";

const file = (path: string, mime = "text/plain") => ({ type: "file", mime, url: `file://${path}` }) as const;
const ask = { type: "text", text: "Explain." } as const;

test("a file: part is read when the prompt is admitted: texts with line numbers, ranges, folders, images", async () => {
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  const folder = await makeFolder({ "a.ts": "one\ntwo\nthree\n", "p.png": png, "sub/x": "" });
  const under = await start([reply.text("Done.")], { resolveFile: workspaceFiles({ root: folder.path }) });
  await under.session.prompt([ask, file(folder.at("a.ts"), "text/typescript"), file(`${folder.at("a.ts")}?start=2&end=2`), file(folder.at("sub"), "application/x-directory"), file(folder.at("p.png"), "image/png")]);
  const texts = textsIn(under.model.requests[0]);
  expect(texts[0]).toBe("user: Explain.");
  expect(texts[1]).toContain("The user attached a.ts:\n<path>a.ts</path>\n<type>file</type>\n<content>\n1: one");
  expect(texts[2]).toContain("<content>\n2: two\n\n");
  expect(texts[3]).toContain("<type>directory</type>\n<content>\nx\n");
  expect(texts).toHaveLength(4);
  expect(under.model.requests[0]?.prompt.at(-1)?.content).toContainEqual(expect.objectContaining({ type: "file", mediaType: "image/png" }));
  expect(under.session.info.title).toBe("Explain.");
  expectDone(under);
});

test("without resolveFile, and outside of the workspace, a file: part is refused by a typed error", async () => {
  const outside = await makeFolder({ "o": "outside", ".env": "KEY" });
  const folder = await makeFolder({ ".env": "KEY" });
  await symlink(outside.at("o"), folder.at("link"));
  const without = await start([]);
  expect(() => without.session.prompt([ask, file(folder.at("a"))])).toThrow(/prompt\.input\[1\]\.url: is a file: URL, and this agent reads no local files/);
  const under = await start([reply.text("Done.")], { resolveFile: workspaceFiles({ root: folder.path }) });
  for (const path of [outside.at("o"), folder.at("link"), folder.at(".env"), folder.at("none")]) {
    await expect(under.session.prompt([ask, file(path)])).rejects.toMatchObject({ code: "invalid-argument", message: expect.stringMatching(/prompt\.input\[1\]\.url: file:.* cannot be read/) as string });
  }
  await under.session.prompt("Go on.");
  expectDone(under);
});

test("prompts keep their order while a file is read, and the same id with the same content is the same prompt", async () => {
  const folder = await makeFolder({ "a": "first content" });
  const storage = memoryStorage();
  let reads = 0;
  const resolve = workspaceFiles({ root: folder.path });
  const resolveFile: typeof resolve = async (...given) => {
    reads += 1;
    return resolve(...given);
  };
  const under = await start([reply.text("One."), reply.text("Two.")], { storage, resolveFile });
  const first = under.session.prompt([ask, file(folder.at("a"))], { id: "msg_mine" });
  const second = under.session.prompt("Second.");
  expect([(await first).text, (await second).text]).toEqual(["One.", "Two."]);
  expect(textsIn(under.model.requests[0])[1]).toContain("first content");
  await folder.write("a", "second content");
  const agent = createAgent({ model: scriptedModel([]), storage, resolveFile });
  const again = await agent.session(under.session.id);
  expect((await again.prompt([ask, file(folder.at("a"))], { id: "msg_mine" })).text).toBe("One.");
  await expect(again.prompt([ask, file(folder.at("b"))], { id: "msg_mine" })).rejects.toThrow();
  expect(reads).toBeGreaterThan(0);
  await agent.close();
});

test("a prompt that is aborted, or whose session is closed, while its file is read does not run", async () => {
  const storage = memoryStorage();
  let answer: (() => void) | undefined;
  const resolveFile = () => new Promise<{ type: "text"; text: string }>((resolve) => {
    answer = () => {
      resolve({ type: "text", text: "late" });
    };
  });
  const under = await start([], { storage, resolveFile });
  const controller = new AbortController();
  const aborted = under.session.prompt([ask, file("/a")], { abortSignal: controller.signal });
  controller.abort();
  answer?.();
  expect((await aborted.settled).outcome).toMatch(/cancelled|aborted/);
  const closed = under.session.prompt([ask, file("/a")]);
  const closing = under.session.close();
  answer?.();
  await closing;
  await expect(closed).rejects.toThrow();
  expect(under.model.requests).toEqual([]);
});

test("instructions hold the environment and the project's files from its root down, and are rendered once", async () => {
  const folder = await makeFolder({ ".git/HEAD": "", "AGENTS.md": "Root rules.", "CLAUDE.md": "Not this one.", "packages/a/CLAUDE.md": "Package rules." });
  const root = folder.at("packages/a");
  const under = await start([reply.text("One."), reply.text("Two.")], { instructions: workspaceInstructions({ root, instructions: "You are a coder.", now: () => Date.UTC(2026, 10, 30) }) });
  await under.session.prompt("Hello.");
  await folder.write("AGENTS.md", "Changed.");
  await under.session.prompt("Again.");
  const [system, later] = under.model.requests.map((request) => textsIn(request)[0]);
  expect(system).toBe(`system: You are a coder.\n\n<environment>\nWorkspace: ${root}\nGit repository: yes\nPlatform: ${process.platform}\nDate when this session began: 2026-11-30\n</environment>\n\nInstructions from AGENTS.md:\nRoot rules.\n\nInstructions from packages/a/CLAUDE.md:\nPackage rules.`);
  expect(later).toBe(system);
  expectDone(under);
});

test("an instruction file that leads out of the project is left out", async () => {
  const outside = await makeFolder({ "secret.md": "Outside." });
  const folder = await makeFolder({ "CLAUDE.md": "Inside." });
  await symlink(outside.at("secret.md"), folder.at("AGENTS.md"));
  const texts = await workspaceInstructions({ root: folder.path })({ sessionID: "ses_1" });
  expect(texts.join()).toContain("Instructions from CLAUDE.md:\nInside.");
  expect(texts.join()).not.toContain("Outside");
});
