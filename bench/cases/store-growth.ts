import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "throughline";
import { reading, type BenchCase, type Program, type Size } from "../bench-case.ts";
import { expectEqual } from "../expect-equal.ts";

const deltaCounts: Record<Size, number> = { full: 1000, quick: 200 };
const deltasPerSecond = 60;
const delta = "word, ";

/** Writes an answer that comes as slowly as from a provider, and measures by how much the store has grown for it. */
function growthOf(open: (directory: string, clock: ManualClock) => Promise<Storage>): Program {
  return async (size) => {
    const { manualClock } = await import("throughline/testing");
    const directory = await mkdtemp(join(tmpdir(), "throughline-bench-growth-"));
    const clock = manualClock(0);
    try {
      // What a new store takes, and the first turn with it, is not growth.
      await answer(await open(directory, clock), clock, 1);
      const before = await bytesIn(directory);
      const kilobytes = await answer(await open(directory, clock), clock, deltaCounts[size]);
      return { kilobytes: (await bytesIn(directory)) / 1000 - before / 1000, rowKilobytes: kilobytes };
    } finally {
      await rm(directory, { recursive: true });
    }
  };
}

type ManualClock = ReturnType<typeof import("throughline/testing").manualClock>;

/** Runs a turn of one answer in a session of its own, and closes the store. Returns the kilobytes of its rows as JSON. */
async function answer(storage: Storage, clock: ManualClock, deltas: number): Promise<number> {
  const { createAgent } = await import("throughline");
  const { reply, scriptedModel } = await import("throughline/testing");
  const model = scriptedModel([reply.text(delta.repeat(deltas), { chunks: deltas })], { delayMs: 1000 / deltasPerSecond, clock });
  const agent = createAgent({ model, storage, clock });
  const session = await agent.session();
  let seen = 0;
  session.on("part.delta", () => (seen += 1));
  let isOver = false;
  const over = session.prompt("Talk.").settled.then(() => (isOver = true));
  while (!isOver) {
    await clock.advance(1000 / deltasPerSecond);
    // Stores wait for files, which takes turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await over;
  expectEqual("deltas", seen, deltas);
  const messages = await session.messages();
  const rows = [session.info, ...messages.flatMap(({ info, parts }) => [info, ...parts])];
  await agent.close();
  await storage.close();
  return rows.reduce((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)), 0) / 1000;
}

async function bytesIn(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => stat(join(directory, name))));
  return sizes.reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0);
}

function comparison(program: string, store: string): BenchCase["comparisons"][number] {
  return { figure: `growth of the ${store} store by 1,000 deltas, 60 a second`, unit: "kB", ours: reading(program, "kilobytes"), peer: "the rows as JSON", theirs: reading(program, "rowKilobytes"), atMost: 2 };
}

/** A store grows with what is said, and not with how often a piece of it came. */
export const storeGrowth: BenchCase = {
  programs: {
    sqlite: growthOf(async (directory, clock) => {
      const { sqliteStorage } = await import("throughline/storage/sqlite");
      return sqliteStorage(join(directory, "sessions.db"), { clock });
    }),
    file: growthOf(async (directory, clock) => {
      const { fileStorage } = await import("throughline/storage/file");
      return fileStorage(directory, { clock });
    }),
  },
  comparisons: [comparison("sqlite", "SQLite"), comparison("file", "file")],
};

