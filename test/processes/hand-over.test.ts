import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createAgent, defineTool } from "throughline";
import { reply, scriptedModel, strictModel } from "throughline/testing";
import { sqliteStorage } from "throughline/storage/sqlite";
import { resultsIn } from "../session/session-under-test.ts";

const owner = fileURLToPath(new URL("./owner.ts", import.meta.url));
const input = { type: "object", properties: {} } as const;

/** Resolves when the process has said this. */
function saysSo(child: ChildProcess, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (data: Buffer) => {
      output += data.toString();
      if (output.includes(`${line}\n`)) resolve();
    });
    child.on("close", (code) => { reject(new Error(`The owner ended with ${code} before it said "${line}".`)); });
  });
}

it.each([["is killed", "SIGKILL"], ["is asked to end", "SIGTERM"]] as const)("a turn whose process %s is answered by the one that prompted it, and nothing is done twice", async (_how, signal) => {
  const folder = mkdtempSync(join(tmpdir(), "throughline-hand-over-"));
  const database = join(folder, "sessions.db");
  const witness = join(folder, "witness.txt");
  const child = spawn(process.execPath, ["--import", "tsx", owner, database, witness], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });
  await saysSo(child, "holding");

  const model = strictModel(scriptedModel([reply.text("I looked: it is written.")]));
  const storage = sqliteStorage(database);
  const write = defineTool({ description: "Writes.", input, execute: () => { throw new Error("Nobody may run it a second time."); } });
  const hold = defineTool({ description: "Holds.", input, execute: () => "held" });
  // The time that a lease lives is no way out: the owner's is longer than the test.
  const agent = createAgent({ model, storage, tools: { hold, write }, leases: { pollMs: 20 } });
  const session = await agent.session("thread");
  const turn = session.prompt("Write it.", { id: "asked" });
  await turn.accepted;
  const writing = saysSo(child, "writing");
  child.stdin.write("go on\n");
  await writing;
  const ended = once(child, "close");
  child.kill(signal);
  expect(await turn).toMatchObject({ outcome: "answered", text: "I looked: it is written.", messageID: "asked" });
  expect(await ended).toEqual(signal === "SIGTERM" ? [0, null] : [null, "SIGKILL"]);
  expect(model.violations).toEqual([]);
  expect(model.calls).toBe(1);
  expect(resultsIn(model.requests[0]).at(-1)?.[2]).toContain("outcome is unknown");
  expect(readFileSync(witness, "utf8")).toBe("written\n");
  const prompts = (await session.messages()).flatMap(({ info }) => (info.role === "user" ? [[info.id === "asked", info.outcome?.type]] : []));
  expect(prompts).toEqual([[false, "answered"], [true, "answered"]]);
  await agent.close();
  await storage.close();
}, 30_000);
