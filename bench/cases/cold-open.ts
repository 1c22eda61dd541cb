import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reading, type BenchCase, type Program, type Size } from "../bench-case.ts";
import { cpuMsOf } from "../cpu-time.ts";
import { expectEqual } from "../expect-equal.ts";
import { scriptModel, textStep } from "../models.ts";
import { writeHistory } from "../write-history.ts";

const turnCounts: Record<Size, number> = { full: 2000, quick: 200 };

/** How many turns stand behind the compaction. */
const visibleTurns = 20;

/** Writes a long session into a file, and measures what reads it. */
function reading2000Turns(read: (file: string, turns: number) => Promise<() => Promise<void>>, visible?: number): Program {
  return async (size) => {
    const directory = await mkdtemp(join(tmpdir(), "throughline-bench-open-"));
    const file = join(directory, "sessions.db");
    try {
      await writeHistory(file, turnCounts[size], visible);
      const work = await read(file, turnCounts[size]);
      return { milliseconds: await cpuMsOf(work) };
    } finally {
      await rm(directory, { recursive: true });
    }
  };
}

/** Opens the session with its next prompt. @param visible turns that the model is shown */
async function opening(file: string, visible: number): Promise<() => Promise<void>> {
  const { createAgent } = await import("throughline");
  const { sqliteStorage } = await import("throughline/storage/sqlite");
  let messages = 0;
  const answer = scriptModel({ steps: Array.from({ length: visible * 2 + 4 }, () => textStep(1)) });
  let called: () => void = () => undefined;
  const model = {
    ...answer,
    doStream: (options: Parameters<typeof answer.doStream>[0]) => {
      messages = options.prompt.length;
      called();
      return answer.doStream(options);
    },
  };
  const agent = createAgent({ model, storage: sqliteStorage(file) });
  // What is loaded with the first session, and compiled with the first turn, is no cost of opening.
  await (await agent.session()).prompt("Hello.");
  const reached = new Promise<void>((resolve) => (called = resolve));
  return async () => {
    const session = await agent.session("ses_long");
    session.prompt("Go on.").settled.catch(() => undefined);
    await reached;
    expectEqual("messages", messages > visible * 3 && messages < visible * 4 + 10, true);
  };
}

/** Opening a long session in a process that has not seen it, up to the model call that its next prompt makes. */
export const coldOpen: BenchCase = {
  programs: {
    select: reading2000Turns(async (file, turns) => {
      const database = openDatabase(file);
      const statements = ["message", "part"].map((table) => database.prepare(`SELECT data FROM ${table} ORDER BY key`));
      return async () => {
        let rows = 0;
        for (const statement of statements) {
          for (const { data } of statement.all()) {
            JSON.parse(data);
            rows += 1;
          }
        }
        if (rows < turns * 5) throw new Error(`There are ${rows} rows only.`);
      };
    }),

    throughline: reading2000Turns((file, turns) => opening(file, turns)),
    compacted: reading2000Turns((file) => opening(file, visibleTurns), visibleTurns),
  },
  comparisons: [
    { figure: "opening 2,000 turns up to the model call", unit: "ms", ours: reading("throughline", "milliseconds"), peer: "SELECT and JSON.parse", theirs: reading("select", "milliseconds"), atMost: 1.5 },
    { figure: "the same behind a compaction, 20 turns visible", unit: "ms", ours: reading("compacted", "milliseconds"), peer: "all of it visible", theirs: reading("throughline", "milliseconds"), atMost: 0.1 },
    { figure: "the same, against a bar", unit: "ms", ours: reading("compacted", "milliseconds"), peer: "15 ms of CPU", theirs: () => 15, atMost: 1 },
  ],
};

interface Database {
  prepare(sql: string): { all(): { data: string }[] };
}

/** The driver that the store takes on this Node, without the store. */
function openDatabase(file: string): Database {
  const require = createRequire(import.meta.url);
  try {
    const { DatabaseSync } = require("node:sqlite") as { DatabaseSync: new (path: string) => Database };
    return new DatabaseSync(file);
  } catch {
    const Driver = require("libsql") as new (path: string) => Database;
    return new Driver(file);
  }
}
