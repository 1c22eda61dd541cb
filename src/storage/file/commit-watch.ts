import { statSync, watch, type FSWatcher } from "node:fs";
import type { Clock } from "../../util/clock.ts";
import { Watchers } from "../memory/watchers.ts";
import { fileNameOf } from "./file-name.ts";
import type { StorePaths } from "./store-paths.ts";

const pollMs = 500;

/**
 * Tells of commits: our own at once; those of other processes when the system says that a file has changed, and by
 * looking now and then where it does not. Nothing runs while nobody watches.
 */
export class CommitWatch {
  readonly #paths: StorePaths;
  readonly #clock: Clock;
  readonly #watchers = new Watchers();
  /** Watched sessions: how many watch, and how the file looked last. */
  readonly #watched = new Map<string, { count: number; mark: string }>();
  #watcher: FSWatcher | undefined;
  #timer: unknown;

  constructor(paths: StorePaths, clock: Clock) {
    this.#paths = paths;
    this.#clock = clock;
  }

  /** Returns the way to stop. */
  add(sessionID: string, listener: () => void): () => void {
    const remove = this.#watchers.add(sessionID, listener);
    const watched = this.#watched.get(sessionID) ?? { count: 0, mark: this.#markOf(sessionID) };
    watched.count += 1;
    this.#watched.set(sessionID, watched);
    this.#start();
    let stopped = false;
    return () => {
      if (stopped) return;
      stopped = true;
      remove();
      watched.count -= 1;
      if (watched.count === 0 && this.#watched.get(sessionID) === watched) this.#watched.delete(sessionID);
      if (this.#watched.size === 0) this.#stop();
    };
  }

  /** After a commit of our own. */
  notify(sessionID: string): void {
    const watched = this.#watched.get(sessionID);
    if (watched === undefined) return;
    watched.mark = this.#markOf(sessionID);
    this.#watchers.notify(sessionID);
  }

  close(): void {
    this.#watchers.clear();
    this.#watched.clear();
    this.#stop();
  }

  #start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = this.#clock.setTimeout(() => this.#poll(), pollMs);
    try {
      this.#watcher = watch(this.#paths.sessions, { persistent: false }, () => this.#look());
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // Not every file system can tell; then we look.
    }
  }

  #stop(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #poll(): void {
    this.#timer = this.#clock.setTimeout(() => this.#poll(), pollMs);
    this.#look();
  }

  #look(): void {
    for (const [sessionID, watched] of [...this.#watched]) {
      const mark = this.#markOf(sessionID);
      if (mark === watched.mark) continue;
      watched.mark = mark;
      this.#watchers.notify(sessionID);
    }
  }

  #markOf(sessionID: string): string {
    const stat = statSync(this.#paths.log(fileNameOf(sessionID)), { throwIfNoEntry: false });
    return stat === undefined ? "" : `${stat.ino} ${stat.birthtimeMs} ${stat.size}`;
  }
}
