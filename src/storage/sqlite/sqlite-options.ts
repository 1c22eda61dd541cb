import { InvalidArgumentError } from "../../errors.ts";
import { callable, checkOptions, milliseconds } from "../../util/check-options.ts";
import { checkClock, systemClock, type Clock } from "../../util/clock.ts";
import { guardLogger, type Logger } from "../../util/logger.ts";

export interface SqliteStorageOptions {
  /**
   * What a commit outlives: the end of the `process` (also by `kill -9`), or also a loss of `power`, which makes each
   * commit wait for the disk. Default `process`.
   */
  durability?: "process" | "power" | undefined;
  /** Longest time that a call waits while other connections lock the database, in milliseconds. Default 10,000. */
  busyMs?: number | undefined;
  /** How often the commits of other processes are looked for while somebody watches, in milliseconds. Default 250. */
  pollMs?: number | undefined;
  /** Decides when a lease has expired, and times waiting and polling. Default: the machine's. */
  clock?: Clock | undefined;
  /** Hears of what works, but not as it should, e.g. a file system that refuses the WAL mode. */
  logger?: Logger | undefined;
}

export interface SqliteSettings {
  durability: "process" | "power";
  busyMs: number;
  pollMs: number;
  clock: Clock;
  logger: Logger | undefined;
}

/** @throws {InvalidArgumentError} */
export function sqliteSettings(options: SqliteStorageOptions): SqliteSettings {
  checkOptions<SqliteStorageOptions>("sqliteStorage", options, {
    durability: (value, argument) => {
      if (value !== "process" && value !== "power") throw new InvalidArgumentError(argument, `expected "process" or "power", got ${String(value)}.`);
    },
    busyMs: milliseconds,
    pollMs: milliseconds,
    clock: checkClock,
    logger: callable,
  });
  return {
    durability: options.durability ?? "process",
    busyMs: options.busyMs ?? 10_000,
    pollMs: options.pollMs ?? 250,
    clock: options.clock ?? systemClock(),
    logger: guardLogger(options.logger),
  };
}
