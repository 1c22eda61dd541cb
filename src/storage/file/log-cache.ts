import { fileNameOf } from "./file-name.ts";
import { SessionLog, type LogContext } from "./session-log.ts";

/** Sessions that nobody runs and that are kept all the same, as they may be asked for again soon. */
const idleKept = 8;

/**
 * The sessions that were read. Those whose tree is leased by this process stay; of the others only a few do, as everything
 * can be read again.
 */
export class LogCache {
  readonly #context: LogContext;
  readonly #isLeased: (rootID: string) => boolean;
  /** Least recently used first. */
  readonly #logs = new Map<string, SessionLog>();

  constructor(context: LogContext, isLeased: (rootID: string) => boolean) {
    this.#context = context;
    this.#isLeased = isLeased;
  }

  /** The session's log, with all that was written until now. */
  get(sessionID: string): SessionLog {
    return this.named(fileNameOf(sessionID));
  }

  /** The log in a file of that name. */
  named(name: string): SessionLog {
    const log = this.#logs.get(name) ?? new SessionLog(name, this.#context);
    this.#logs.delete(name);
    this.#logs.set(name, log);
    log.refresh();
    if (this.#logs.size > idleKept) this.#dropIdle(log);
    return log;
  }

  /** A log that is not kept, for a look at many sessions. */
  passing(name: string): SessionLog {
    const kept = this.#logs.get(name);
    const log = kept ?? new SessionLog(name, this.#context);
    log.refresh();
    return log;
  }

  clear(): void {
    this.#logs.clear();
  }

  #dropIdle(used: SessionLog): void {
    const idle = [...this.#logs.values()].filter((log) => log !== used && !(log.record !== undefined && this.#isLeased(log.record.rootID)));
    for (const log of idle.slice(0, Math.max(0, idle.length - idleKept))) this.#logs.delete(log.name);
  }
}
