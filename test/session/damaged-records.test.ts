import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAgent } from "throughline";
import type { Storage } from "throughline";
import { fileStorage } from "throughline/storage/file";
import { sqliteStorage } from "throughline/storage/sqlite";
import { reply, scriptedModel, strictModel } from "throughline/testing";
import { storeDirectory } from "../storage/file/store-directory.ts";
import { rawConnection } from "../storage/sqlite/temporary-store.ts";
import { bashTool } from "./asks/asked.ts";

const call = (command: string) => reply.toolCall("bash", { command });
const careful = [{ permission: "bash", pattern: "c", action: "ask" }] as const;

/** A session with an answered turn, one that waits for a person, and a prompt behind it; and another session. */
async function live(storage: Storage): Promise<void> {
  const model = scriptedModel([[reply.reasoning("Let me think."), reply.text("Looking."), call("a"), call("b")].flat(), reply.text("Done."), call("c")]);
  const agent = createAgent({ model, storage, tools: { bash: bashTool().bash }, permissions: careful, asks: { mode: "release" } });
  const session = await agent.session({ id: "thread" });
  await session.prompt("One");
  expect(await session.prompt("Two")).toMatchObject({ outcome: "waiting" });
  await session.prompt("Three", { id: "three" }).accepted;
  await agent.session({ id: "other" });
  await agent.close();
  await storage.close();
}

/** Goes on with the session, answers what it asks, and compacts it. Everything that is there must be legal and settled. */
async function goOn(storage: Storage): Promise<void> {
  const { bash, runs } = bashTool();
  const model = strictModel(scriptedModel(({ prompt }) => reply.text(JSON.stringify(prompt).includes("for an assistant that will continue") ? "A summary." : "An answer.")));
  const agent = createAgent({ model, storage, tools: { bash }, permissions: careful });
  const damages: unknown[] = [];
  agent.on("session.damaged", ({ damage }) => damages.push(damage));
  expect((await agent.sessions()).items.map(({ id }) => id)).toContain("other");
  const session = await agent.session({ id: "thread" });
  for (const { id } of await session.asks()) await session.reply(id, { decision: "once" });
  await session.resume().settled;
  expect(await session.prompt("Four")).toMatchObject({ outcome: "answered", text: "An answer." });
  await session.compact().catch(() => undefined);
  expect(await session.prompt("Five")).toMatchObject({ outcome: "answered", text: "An answer." });
  expect(damages.length).toBeGreaterThan(0);
  expect(model.violations).toEqual([]);
  // Of the calls only the one that was answered may run, and that once.
  expect(["", "c"]).toContain(runs.join());
  const messages = await session.messages();
  const states = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state.status] : [])));
  expect(states.filter((status) => status !== "completed" && status !== "error")).toEqual([]);
  const folded: string[] = [];
  for await (const item of session.events({ after: 0 })) {
    if (item.type === "message.updated") folded.push(item.message.id);
    if (folded.length === messages.length) break;
  }
  expect(folded).toEqual(messages.map(({ info }) => info.id));
  await agent.close();
  await storage.close();
}

describe("R183, anomalyco/opencode#7607: a session goes on", { timeout: 60_000 }, () => {
  it("whichever row of SQLite is emptied", async () => {
    const directory = await storeDirectory();
    const whole = join(directory, "store.db");
    await live(sqliteStorage(whole));
    const raw = rawConnection(whole);
    const rows = ["session", "message", "part", "ask"].flatMap((table) => raw.rows(`SELECT rowid FROM ${table}`, []).map(([row]) => [table, Number(row)] as const));
    raw.close();
    expect(rows.length).toBeGreaterThan(15);
    for (const [table, row] of rows) {
      const path = join(directory, `${table}-${row}.db`);
      cpSync(whole, path);
      const damaged = rawConnection(path);
      damaged.run(`UPDATE ${table} SET data = '' WHERE rowid = ?`, [row]);
      damaged.close();
      await goOn(sqliteStorage(path)).catch((error: unknown) => { throw new Error(`${table} ${row}`, { cause: error }); });
    }
  });

  it("whichever line of its file is cut", async () => {
    const whole = await storeDirectory();
    await live(fileStorage(whole, { sync: "never" }));
    const name = join("sessions", readdirSync(join(whole, "sessions")).find((file) => file.includes("thread")) ?? "");
    const lines = readFileSync(join(whole, name), "utf8").split(/(?<=\n)/);
    expect(lines.length).toBeGreaterThan(8);
    for (const index of lines.keys()) {
      const directory = await storeDirectory();
      cpSync(whole, directory, { recursive: true });
      writeFileSync(join(directory, name), lines.map((line, at) => (at === index ? `${line.slice(0, line.length / 2)}\n` : line)).join(""));
      await goOn(fileStorage(directory, { sync: "never" })).catch((error: unknown) => { throw new Error(`Line ${index}`, { cause: error }); });
    }
  });
});
