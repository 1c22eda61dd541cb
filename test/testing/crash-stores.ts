import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStorage } from "throughline";
import type { Clock, Storage } from "throughline";
import { fileStorage } from "throughline/storage/file";
import { sqliteStorage } from "throughline/storage/sqlite";
import type { CrashScenario } from "throughline/testing";

/** The stores that crash scenarios run on, by name. An adapter joins with a line here. */
export const crashStores: Readonly<Record<string, CrashScenario["storage"]>> = {
  memory: ({ clock }) => {
    const storage = memoryStorage({ clock });
    return Promise.resolve({ storage, reopen: () => Promise.resolve(storage) });
  },
  // Only the process dies here, not the machine: nothing need wait for the disk.
  file: onDisk((folder, clock) => fileStorage(folder, { clock, sync: "never" })),
  sqlite: onDisk((folder, clock) => sqliteStorage(join(folder, "store.db"), { clock })),
};

/** A store in a folder of its own. Each process opens it anew, beside what the dead ones have left open. */
function onDisk(open: (folder: string, clock: Clock) => Storage): CrashScenario["storage"] {
  return async ({ clock }) => {
    const folder = await mkdtemp(join(tmpdir(), "throughline-crash-"));
    const storage = open(folder, clock);
    const opened = [storage];
    return {
      storage,
      reopen: () => {
        const next = open(folder, clock);
        opened.push(next);
        return Promise.resolve(next);
      },
      dispose: async () => {
        for (const left of opened) await left.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
}
