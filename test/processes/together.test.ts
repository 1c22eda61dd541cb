import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import pg from "pg";

const prompter = fileURLToPath(new URL("./prompter.ts", import.meta.url));

interface Seen {
  asked: string[];
  outcomes: Record<string, number>;
  problems: string[];
  violations: number;
}

/** A process that prompts. */
interface Prompter {
  /** Its own prompts are done. */
  done: Promise<void>;
  /** Lets it end. Resolves with what it saw. */
  end(): Promise<Seen>;
}

function prompt(name: string, store: string, where: string, counts: { sessions: number; prompts: number }): Prompter {
  const child = spawn(process.execPath, ["--import", "tsx", prompter, name, store, where, String(counts.sessions), String(counts.prompts)], { stdio: "pipe" });
  let output = "";
  let errors = "";
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  const ended = new Promise<void>((resolve, reject) => {
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The process "${name}" ended with ${code}: ${errors}`));
    });
  });
  const done = new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (data: Buffer) => {
      output += data.toString();
      if (output.startsWith("done\n")) resolve();
    });
    ended.catch(reject);
  });
  const end = async (): Promise<Seen> => {
    child.stdin.end();
    await ended;
    // The child's own words.
    return JSON.parse(output.slice("done\n".length)) as Seen;
  };
  return { done, end };
}

/** Starts so many processes on one store, and checks that each prompt was answered, and by one call of one of them. */
async function expectAnsweredOnce(store: string, where: string, counts: { processes: number; sessions: number; prompts: number }): Promise<void> {
  const names = Array.from({ length: counts.processes }, (_, index) => `p${index}`);
  const prompters = names.map((name) => prompt(name, store, where, counts));
  await Promise.all(prompters.map(({ done }) => done));
  const seen = await Promise.all(prompters.map(({ end }) => end()));
  expect(seen.flatMap(({ problems }) => problems)).toEqual([]);
  expect(seen.map(({ outcomes, violations }) => ({ outcomes, violations }))).toEqual(names.map(() => ({ outcomes: { answered: counts.sessions * counts.prompts }, violations: 0 })));
  const expected = names.flatMap((name) => Array.from({ length: counts.sessions }, (_, session) => Array.from({ length: counts.prompts }, (_, count) => `prompt ${name}-ses-${session}-${count}`)).flat());
  expect(seen.flatMap(({ asked }) => asked).sort()).toEqual(expected.sort());
}

async function answersPostgres(): Promise<boolean> {
  const client = new pg.Client({ host: "127.0.0.1", user: "postgres", database: "test", connectionTimeoutMillis: 1000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

const hasPostgres = await answersPostgres();

describe("two processes that prompt one session at once", () => {
  const folders: string[] = [];
  const folder = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), "throughline-together-"));
    folders.push(path);
    return path;
  };
  const schema = `together_${process.pid}`;

  afterAll(async () => {
    await Promise.all(folders.map((path) => rm(path, { recursive: true })));
    if (!hasPostgres) return;
    const client = new pg.Client({ host: "127.0.0.1", user: "postgres", database: "test" });
    await client.connect();
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await client.end();
  });

  it("have every prompt answered exactly once, on SQLite", async () => {
    await expectAnsweredOnce("sqlite", join(await folder(), "sessions.db"), { processes: 2, sessions: 1, prompts: 15 });
  }, 60_000);

  it("have every prompt answered exactly once, on files", async () => {
    await expectAnsweredOnce("file", await folder(), { processes: 2, sessions: 1, prompts: 15 });
  }, 60_000);

  it.skipIf(!hasPostgres)("have every prompt answered exactly once, on PostgreSQL (skipped where no server answers at 127.0.0.1:5432)", async () => {
    await expectAnsweredOnce("postgres", schema, { processes: 2, sessions: 1, prompts: 15 });
  }, 60_000);

  it("are no different from eight with fifty sessions on one SQLite file", async () => {
    await expectAnsweredOnce("sqlite", join(await folder(), "sessions.db"), { processes: 8, sessions: 50, prompts: 1 });
  }, 120_000);
});
