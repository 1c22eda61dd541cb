import { StorageError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import { toKey } from "./key.ts";
import type { Listen } from "./listen.ts";

const firstWaitMs = 100;
const longestWaitMs = 5_000;

interface Watcher {
  readonly key: string;
  readonly listener: () => void;
}

/**
 * Who wants to hear of commits. There is one connection for all of them, and none while there are none. When it drops it is made
 * anew, as long as somebody watches; then everybody is told, as nobody knows what was missed.
 */
export class WatchList {
  readonly #listen: Listen;
  readonly #channel: string;
  readonly #clock: Clock;
  readonly #watchers = new Set<Watcher>();
  #connection: Promise<() => Promise<void>> | undefined;
  #timer: unknown;

  constructor(listen: Listen, channel: string, clock: Clock) {
    this.#listen = listen;
    this.#channel = channel;
    this.#clock = clock;
  }

  /** Resolves with the way to stop, once commits are heard. */
  async add(sessionID: string, listener: () => void): Promise<() => void> {
    const watcher = { key: toKey(sessionID), listener };
    this.#watchers.add(watcher);
    try {
      await this.#connect();
    } catch (error) {
      this.#remove(watcher);
      throw new StorageError("PostgreSQL: no connection to listen on.", error);
    }
    return () => this.#remove(watcher);
  }

  /** Nobody watches any more. Resolves when the connection was given up. */
  async close(): Promise<void> {
    this.#watchers.clear();
    await this.#disconnect();
  }

  #remove(watcher: Watcher): void {
    if (this.#watchers.delete(watcher) && this.#watchers.size === 0) void this.#disconnect();
  }

  #connect(): Promise<unknown> {
    if (this.#connection !== undefined) return this.#connection;
    const forget = (): boolean => {
      const isCurrent = this.#connection === connection;
      if (isCurrent) this.#connection = undefined;
      return isCurrent;
    };
    const connection = this.#listen(this.#channel, {
      onPayload: (payload) => this.#tell(payload),
      onLost: () => {
        if (forget()) this.#reconnect(firstWaitMs);
      },
    });
    this.#connection = connection;
    connection.catch(forget);
    return connection;
  }

  #reconnect(waitMs: number): void {
    if (this.#watchers.size === 0) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#connect().then(
        () => this.#tell(""),
        () => this.#reconnect(Math.min(waitMs * 2, longestWaitMs)),
      );
    }, waitMs);
  }

  async #disconnect(): Promise<void> {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    // What cannot be ended has ended already.
    await connection?.then((end) => end()).catch(() => undefined);
  }

  /** An empty key is that of any session. */
  #tell(key: string): void {
    for (const watcher of [...this.#watchers]) {
      if (key !== "" && key !== watcher.key) continue;
      try {
        watcher.listener();
      } catch {
        // The commit was written: a broken listener must not keep the others from hearing of it.
      }
    }
  }
}
