import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStorage, type Clock, type Storage } from "throughline";
import { fileStorage } from "throughline/storage/file";
import { sqliteStorage } from "throughline/storage/sqlite";

/** A store that several processes share. */
export interface TestedStore {
  name: string;
  /** How many schedules a scenario is run under. */
  schedules: number;
  open(clock: Clock): Promise<OpenStore>;
}

export interface OpenStore {
  /** The store as one more process has it. */
  connect(): Storage;
  close(): Promise<void>;
}

/** A store in a folder of its own, that each process opens for itself. */
function onDisk(connect: (folder: string, clock: Clock) => Storage): TestedStore["open"] {
  return (clock) => {
    const folder = mkdtempSync(join(tmpdir(), "throughline-interleavings-"));
    const connections: Storage[] = [];
    return Promise.resolve({
      connect: () => {
        const connection = connect(folder, clock);
        connections.push(connection);
        return connection;
      },
      close: async () => {
        await Promise.all(connections.map((connection) => connection.close()));
        rmSync(folder, { recursive: true });
      },
    });
  };
}

export const stores: readonly TestedStore[] = [
  {
    name: "memory",
    schedules: 200,
    open: (clock) => {
      const storage = memoryStorage({ clock });
      return Promise.resolve({ connect: () => storage, close: () => storage.close() });
    },
  },
  { name: "SQLite", schedules: 15, open: onDisk((folder, clock) => sqliteStorage(join(folder, "sessions.db"), { clock })) },
  { name: "files", schedules: 10, open: onDisk((folder, clock) => fileStorage(folder, { clock, sync: "never" })) },
];
