import { pathToFileURL } from "node:url";
import { MissingPackageError } from "../../errors.ts";
import type { SqliteDatabase } from "./connection.ts";

/** A package that opens SQLite files. */
export interface Driver {
  name: string;
  open(path: string): SqliteDatabase;
  openReadOnly(path: string): SqliteDatabase;
}

type DatabaseClass = new (path: string, options?: object) => SqliteDatabase;

/** The best first. */
const drivers: readonly [name: string, make: (module: Record<string, unknown>) => Driver][] = [
  ["node:sqlite", (module) => driverOf("node:sqlite", module["DatabaseSync"], (path) => [path, { readOnly: true }])],
  ["better-sqlite3", (module) => driverOf("better-sqlite3", module["default"], (path) => [path, { readonly: true, fileMustExist: true }])],
  // It has no option for it, but takes SQLite's own URIs.
  ["libsql", (module) => driverOf("libsql", module["default"], (path) => [`file:${pathToFileURL(path).pathname}?mode=ro`, {}])],
];

/**
 * Loads the first driver that is there.
 *
 * @throws {MissingPackageError}
 */
export async function loadDriver(): Promise<Driver> {
  let cause: unknown;
  for (const [name, make] of drivers) {
    try {
      // The name is no literal, so that bundlers do not demand packages that are not installed.
      return make((await import(/* @vite-ignore */ name)) as Record<string, unknown>);
    } catch (error) {
      cause = error;
    }
  }
  throw new MissingPackageError("better-sqlite3", 'sqliteStorage(path) without node:sqlite (Node 22.13 or newer) and without "libsql"', cause);
}

function driverOf(name: string, database: unknown, readOnly: (path: string) => [path: string, options: object]): Driver {
  if (typeof database !== "function") throw new TypeError(`The package "${name}" has no database class.`);
  // Its arguments are those of the driver's documentation.
  const Database = database as DatabaseClass;
  return { name, open: (path) => new Database(path), openReadOnly: (path) => new Database(...readOnly(path)) };
}
