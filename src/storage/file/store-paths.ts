import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Where things are in a store's directory. */
export interface StorePaths {
  directory: string;
  /** One file for each session, deleted ones included. */
  sessions: string;
  /** Old rows of long sessions. */
  archives: string;
  leases: string;
  log(name: string): string;
  lease(name: string): string;
}

const logEnding = ".jsonl";

/** Makes the directories that are missing. */
export function makePaths(directory: string): StorePaths {
  const [sessions, archives, leases] = ["sessions", "archives", "leases"].map((name) => join(directory, name)) as [string, string, string];
  for (const path of [sessions, archives, leases]) mkdirSync(path, { recursive: true });
  return {
    directory,
    sessions,
    archives,
    leases,
    log: (name) => join(sessions, name + logEnding),
    lease: (name) => join(leases, `${name}.json`),
  };
}

/** The session's name in the name of its file; `undefined` for other files. */
export function nameOfLog(file: string): string | undefined {
  return file.endsWith(logEnding) ? file.slice(0, -logEnding.length) : undefined;
}
