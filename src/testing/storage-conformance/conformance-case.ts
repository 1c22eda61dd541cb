import type { Storage } from "../../storage/storage.ts";

/** A fresh, empty store under test. */
export interface ConformanceStore {
  storage: Storage;
  /** Lets time pass on the store's clock, for leases to expire. */
  advance?(ms: number): Promise<void>;
  /** Closes the store and opens the same data again, as after a restart. */
  reopen?(): Promise<Storage>;
  /**
   * Closes the store, spoils one record of that session as a broken disk does, and opens the data again. For stores that
   * have `onDamage`.
   */
  damage?(sessionID: string): Promise<Storage>;
  /** Called after the test and after `close()`: deletes files, drops tables. */
  dispose?(): Promise<void>;
}

/** What a test needs of the store beyond the required methods. */
export type Capability = "advance" | "reopen" | "watch" | "damage";

export interface ConformanceCase {
  /** One sentence of the contract. */
  name: string;
  needs?: Capability;
  run(store: ConformanceStore): Promise<void>;
}

export interface ConformanceTopic {
  name: string;
  cases: readonly ConformanceCase[];
}
