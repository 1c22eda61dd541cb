import { StorageError, ThroughlineError } from "../../errors.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import { CommitWatch } from "./commit-watch.ts";
import { DamageReports } from "../damage-reports.ts";
import { closeStore, openStore, type OpenStore } from "./open-store.ts";
import type { SyncPolicy } from "./sync-policy.ts";
import { errorMessage } from "../../util/error-message.ts";

/** A store from its first call until it is closed. */
export interface StoreInUse {
  store: OpenStore;
  commits: CommitWatch;
}

/** How the calls of a port reach its store. */
export interface StoreUse {
  /** Answers one call. The directory is opened with the first; what the file system says becomes a `StorageError`. */
  answer: <T>(action: (use: StoreInUse) => T | Promise<T>) => Promise<T>;
  damage: DamageReports;
  close: () => Promise<void>;
}

export function useStore(directory: string, { clock = systemClock(), sync = "step" }: { clock?: Clock | undefined; sync?: SyncPolicy | undefined }): StoreUse {
  const damage = new DamageReports();
  let use: StoreInUse | undefined;
  let closed = false;

  const begin = (): StoreInUse => {
    const store = openStore(directory, { clock, sync, damage });
    return { store, commits: new CommitWatch(store.paths, clock) };
  };

  return {
    damage,
    answer: async (action) => {
      if (closed) throw new StorageError("This storage was closed.");
      try {
        use ??= begin();
        return await action(use);
      } catch (error) {
        if (ThroughlineError.isInstance(error)) throw error;
        throw new StorageError(`The store in "${directory}" failed: ${errorMessage(error)}`, error);
      }
    },
    close: async () => {
      closed = true;
      damage.clear();
      use?.commits.close();
      if (use !== undefined) closeStore(use.store);
      use = undefined;
    },
  };
}
