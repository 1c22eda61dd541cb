import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StorageNewerError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import { CommitCounter } from "./commit-counter.ts";
import type { DamageReports } from "../damage-reports.ts";
import { hasCode, replaceFile } from "./durable-file.ts";
import { Leases } from "./leases.ts";
import { LogCache } from "./log-cache.ts";
import { SessionList } from "./session-list.ts";
import { StoreLock } from "./store-lock.ts";
import { makePaths, type StorePaths } from "./store-paths.ts";
import type { SyncPolicy } from "./sync-policy.ts";

/** A store's directory in use. */
export interface OpenStore {
  paths: StorePaths;
  sync: SyncPolicy;
  lock: StoreLock;
  logs: LogCache;
  leases: Leases;
  list: SessionList;
  counter: CommitCounter;
}

export interface OpenStoreOptions {
  clock: Clock;
  sync: SyncPolicy;
  damage: DamageReports;
}

const formatVersion = 1;

/** @throws {StorageNewerError} */
export function openStore(directory: string, { clock, sync, damage }: OpenStoreOptions): OpenStore {
  const paths = makePaths(directory);
  checkVersion(directory);
  const lock = new StoreLock(directory);
  const leases = new Leases(paths, clock, damage);
  const counter = new CommitCounter(directory);
  const logs = new LogCache({ paths, damage, isQuiet: () => lock.isFree() }, (rootID) => leases.isLeasedHere(rootID));
  return { paths, sync, lock, leases, counter, logs, list: new SessionList(paths, logs) };
}

export function closeStore({ lock, counter, logs }: OpenStore): void {
  lock.close();
  counter.close();
  logs.clear();
}

function checkVersion(directory: string): void {
  const path = join(directory, "store.json");
  const version = readVersion(path);
  if (version !== undefined && version > formatVersion) throw new StorageNewerError(directory, version, formatVersion);
  // Also when it cannot be read: the sessions have checksums of their own.
  if (version === undefined) replaceFile(path, Buffer.from(JSON.stringify({ format: "throughline file store", version: formatVersion })), true);
}

function readVersion(path: string): number | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    const isObject = typeof content === "object" && content !== null && "version" in content;
    return isObject && typeof content.version === "number" ? content.version : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
