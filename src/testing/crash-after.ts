import { InvalidArgumentError, ThroughlineError } from "../errors.ts";
import type { Storage } from "../storage/storage.ts";
import { deferred } from "../util/deferred.ts";
import { interceptStorage, never } from "./intercept-storage.ts";

export interface CrashOptions {
  /**
   * `after` (default): the n-th commit is written, and its answer does not arrive. `before`: the n-th commit is not
   * written; all that was to happen before it has happened.
   */
  point?: "after" | "before" | undefined;
  /** What calls of the dead process come to: `hang` (default) for ever, or `reject` with a {@link CrashedError}. */
  calls?: "hang" | "reject" | undefined;
}

/** What {@link crashAfter} adds to a storage. */
export interface CrashingStorage extends Storage {
  /** Resolves once the process is gone and nothing that it has asked for is under way in the store any more. */
  readonly crashed: Promise<void>;
  readonly isCrashed: boolean;
  /** Commits that were passed on so far. */
  readonly commits: number;
}

/** A request of a process that is gone; only with `calls: "reject"`. */
export class CrashedError extends ThroughlineError {
  constructor() {
    super("crashed", "The process that uses this storage has crashed, as planned.");
  }
}

/**
 * A storage as a process sees it that is killed at its n-th commit: from then on nothing that it asks for reaches the
 * store, and no answer reaches it. The store itself goes on: open another agent on it, as the next process.
 *
 * @param commits which commit, from 1; `Infinity` for none, to count them
 * @throws {InvalidArgumentError} `commits` is not a whole number from 1 on
 * @example
 * const store = memoryStorage({ clock })
 * const dying = crashAfter(3, store)
 * void createAgent({ model, clock, storage: dying }).session({ id: "thread" }).then((session) => session.prompt("Hi"))
 * await dying.crashed
 * await clock.advance(30_000)                            // the lease of the dead process runs out
 * const session = await createAgent({ model, clock, storage: store }).session("thread")
 * await session.resume()
 */
export function crashAfter(commits: number, storage: Storage, options: CrashOptions = {}): CrashingStorage {
  if (commits !== Infinity && !(Number.isSafeInteger(commits) && commits > 0))
    throw new InvalidArgumentError("crashAfter.commits", `must be a whole number from 1 on, or Infinity, not ${commits}.`);
  const crash = deferred<undefined>();
  const underWay = new Set<Promise<unknown>>();
  let crashed = false;
  let passed = 0;

  /** Asked anew after each wait. */
  const hasCrashed = (): boolean => crashed;
  const lost = (): Promise<never> => (options.calls === "reject" ? Promise.reject(new CrashedError()) : never());
  const die = (): void => {
    if (crashed) return;
    crashed = true;
    // What the dead process asked for before may still be on its way.
    void Promise.allSettled([...underWay]).then(() => {
      crash.resolve(undefined);
    });
  };

  const crashing = interceptStorage(storage, async ({ method, count }, next) => {
    const isLast = method === "commit" && count === commits;
    if (isLast && options.point === "before") die();
    // A commit that was asked for behind the last one, while that was under way, comes too late as well.
    if (crashed || (method === "commit" && count > commits)) return lost();
    if (method === "commit") passed += 1;
    const answer = next();
    underWay.add(answer);
    await answer.catch(() => undefined);
    underWay.delete(answer);
    if (isLast) die();
    // Whether it was accepted or refused: the answer does not arrive.
    return hasCrashed() ? lost() : answer;
  });
  // The host closes the store, not the process that has died.
  crashing.close = () => (crashed ? Promise.resolve() : storage.close());
  return Object.defineProperties(crashing, {
    crashed: { value: crash.promise },
    isCrashed: { get: hasCrashed },
    commits: { get: () => passed },
  }) as CrashingStorage; // The three properties are what it adds.
}
