import type { AgentOptions } from "../../agent/agent-options.ts";
import type { Session } from "../../session/session.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Clock } from "../../util/clock.ts";
import type { ManualClock } from "../manual-clock.ts";

/** A store that outlives the process that uses it. What `storageConformance` takes fits, when it can be reopened. */
export interface CrashStore {
  storage: Storage;
  /** Opens what the store holds for the next process. The first one is dead by then: close its storage if that must be. */
  reopen(): Promise<Storage>;
  /** Lets time pass on the store's clock, when that is not the matrix's. */
  advance?(ms: number): Promise<void>;
  /** Called at the end, after `close()` of the newest storage: deletes files, drops tables. */
  dispose?(): Promise<void>;
}

/** What a scenario is given for one process image. */
export interface CrashContext {
  /** The clock of this process: it stops with it. Time passes by itself when nothing else can happen. */
  readonly clock: Clock;
  /** Which process this is, from 1. */
  readonly process: number;
}

/** What of an agent the scenario says. Storage, clock and ids are the matrix's, and so is when it resumes. */
export type CrashAgentOptions = Omit<AgentOptions, "storage" | "clock" | "ids" | "resume">;

/** A piece of an agent's life, to be cut off anywhere. */
export interface CrashScenario {
  name: string;
  /** An empty store. Use the clock for it, or give `advance`. */
  storage(context: { readonly clock: ManualClock }): Promise<CrashStore>;
  /**
   * The agent, anew for each process. Its model must answer by what it is shown, not by a list: a resumed session asks it
   * something else. `tools` must be a record: the matrix counts their executions.
   */
  agent(context: CrashContext): CrashAgentOptions;
  /** What the host does with the session, until all it has asked for has settled. Give prompts an `id` to repeat them. */
  run(session: Session, context: CrashContext): PromiseLike<unknown>;
  /** What the host of a later process does, after what was owed has been resumed. Default: nothing. */
  recover?(session: Session, context: CrashContext): PromiseLike<unknown>;
  /**
   * What must come out the same as without a crash, as data. Asked when every prompt of the uninterrupted run was
   * accepted; before that there may be less.
   */
  result?(session: Session): Promise<unknown>;
  /** Throws when something else is wrong in the end. */
  check?(session: Session): Promise<void>;
}

/** Where a process dies. */
export interface CrashPoint {
  /** Just before its n-th commit, or right after it. */
  point: "before" | "after";
  commit: number;
}
