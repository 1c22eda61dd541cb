/** Who wants to hear of commits, by session. */
export class Watchers {
  readonly #listeners = new Map<string, Set<Watcher>>();

  /** Returns the way to stop. */
  add(sessionID: string, listener: () => void): () => void {
    // An object of its own for each call: the same function may watch twice, and stop once.
    const watcher: Watcher = { listener };
    const watchers = this.#listeners.get(sessionID) ?? new Set();
    this.#listeners.set(sessionID, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#listeners.get(sessionID) === watchers) this.#listeners.delete(sessionID);
    };
  }

  notify(sessionID: string): void {
    // A copy: a listener may stop watching, or start, while it is called.
    for (const watcher of [...(this.#listeners.get(sessionID) ?? [])]) {
      try {
        watcher.listener();
      } catch {
        // The commit was written: a broken listener must not make it look failed.
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}

interface Watcher {
  readonly listener: () => void;
}
