import { randomUUID } from "node:crypto";
import { linkSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "../../errors.ts";
import { hasEnded, thisProcess, type ProcessIdentity } from "../local/process-identity.ts";
import { attempt, hasCode } from "./durable-file.ts";

/** Who has a lock. */
interface Holder {
  token: string;
  /** Absent when the lock's file cannot be read. */
  process?: ProcessIdentity | undefined;
}

/** A lock whose process cannot be asked about (another machine, or this one before it was restarted) is broken after this. */
const abandonedAfterMs = 10_000;
const longestWaitMs = 40;

/**
 * One writer at a time among all processes that use a directory. What is done under the lock never waits, so it is held
 * for a moment only, and never wanted twice within one process.
 *
 * The lock is a hard link to a file that tells who we are: it appears with its content, all at once.
 */
export class StoreLock {
  readonly #path: string;
  readonly #token = randomUUID();
  readonly #own: string;
  readonly #process = thisProcess();
  /** Locks of others that were met, and since when they have not changed. */
  readonly #seen = new Map<string, { mark: string; since: number }>();

  constructor(directory: string) {
    this.#path = join(directory, "lock");
    this.#own = join(directory, `process.${this.#token}`);
    writeFileSync(this.#own, JSON.stringify({ token: this.#token, process: this.#process }));
    removeFilesOfDeadProcesses(directory);
  }

  /** Runs a synchronous action under the lock. */
  async run<T>(action: () => T): Promise<T> {
    for (let tries = 0; !this.#take(this.#path); tries += 1) {
      // The real clock: what is waited for is another process.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(longestWaitMs, 1 << Math.min(tries, 10))));
    }
    try {
      return action();
    } finally {
      // Gone already, if another machine held us for dead.
      attempt(() => unlinkSync(this.#path));
    }
  }

  /** Whether nobody writes at this moment. */
  isFree(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false }) === undefined;
  }

  close(): void {
    attempt(() => rmSync(this.#own, { force: true }));
  }

  #take(path: string): boolean {
    if (this.#link(path)) return true;
    const holder = holderOf(path);
    if (holder === undefined || !this.#isAbandoned(path, holder)) return false;
    this.#break(path, holder);
    return this.#link(path);
  }

  #link(path: string): boolean {
    try {
      linkSync(this.#own, path);
      this.#seen.delete(path);
      return true;
    } catch (error) {
      if (hasCode(error, "EEXIST")) return false;
      if (hasCode(error, "EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK")) return this.#create(path);
      throw new StorageError(`The lock "${path}" cannot be taken.`, error);
    }
  }

  /** For file systems without hard links. */
  #create(path: string): boolean {
    try {
      writeFileSync(path, readFileSync(this.#own), { flag: "wx" });
      return true;
    } catch (error) {
      if (hasCode(error, "EEXIST")) return false;
      throw error;
    }
  }

  #isAbandoned(path: string, { process }: Holder): boolean {
    if (process !== undefined && hasEnded(process)) return true;
    // A process of this machine that still runs may be stopped in the middle of a write: it will go on.
    if (process?.host === this.#process.host) return false;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return false;
    // Taking a lock changes the time of its file: the same mark is the same holder, all the while.
    const mark = `${stat.ino} ${stat.ctimeMs}`;
    const seen = this.#seen.get(path);
    if (seen?.mark === mark) return performance.now() - seen.since > abandonedAfterMs;
    this.#seen.set(path, { mark, since: performance.now() });
    return false;
  }

  /**
   * Removes the lock of a holder that is gone. Of several that want to, the one does that gets a lock which is named after
   * the holder; who comes later finds another lock there, or none, and leaves it.
   */
  #break(path: string, { token }: Holder): void {
    const guard = `${path}.${token}`;
    if (!this.#take(guard)) return;
    try {
      if (holderOf(path)?.token === token) unlinkSync(path);
    } finally {
      unlinkSync(guard);
    }
  }
}

function holderOf(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    // Written by this class; what is not is caught below or has no token.
    const holder = JSON.parse(text) as Partial<Holder> | null;
    if (typeof holder?.token === "string") return { token: holder.token, process: holder.process };
  } catch {
    // Half written, or damaged.
  }
  return { token: "unreadable" };
}

function removeFilesOfDeadProcesses(directory: string): void {
  for (const name of readdirSync(directory).filter((name) => name.startsWith("process."))) {
    const path = join(directory, name);
    attempt(() => {
      const process = holderOf(path)?.process;
      if (process !== undefined && hasEnded(process)) unlinkSync(path);
    });
  }
}
