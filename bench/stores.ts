import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "throughline";

/** Where the sessions of a program live, for one run. */
export interface Store {
  /** Absent for the agent's own default, which is memory. */
  storage: Storage | undefined;
  /** Closes the store and removes its files. */
  dispose(): Promise<void>;
}

export type OpenStore = () => Promise<Store>;

export const openMemory: OpenStore = async () => ({ storage: undefined, dispose: async () => undefined });

/** A file of its own, with the driver that this Node has. */
export const openSQLite: OpenStore = async () => {
  const { sqliteStorage } = await import("throughline/storage/sqlite");
  const directory = await mkdtemp(join(tmpdir(), "throughline-bench-store-"));
  const storage = sqliteStorage(join(directory, "sessions.db"));
  return {
    storage,
    dispose: async () => {
      await storage.close();
      await rm(directory, { recursive: true });
    },
  };
};

/** Opens a store, runs the work over it, and removes it. */
export async function withStore<T>(open: OpenStore, work: (storage: Storage | undefined) => Promise<T>): Promise<T> {
  const store = await open();
  try {
    return await work(store.storage);
  } finally {
    await store.dispose();
  }
}
