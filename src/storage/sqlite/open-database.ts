import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { checkDatabase, Connection, type SqliteDatabase } from "./connection.ts";
import { loadDriver, type Driver } from "./load-driver.ts";
import { checkVersion, migrate } from "./schema.ts";
import { damagedStore, isBusy } from "./sqlite-failure.ts";
import type { SqliteSettings } from "./sqlite-options.ts";

/** A database that is ready for use. */
export interface OpenDatabase {
  connection: Connection;
  /** What it is called in messages: its path. */
  store: string;
  /** Its journal is a write-ahead log, so that readers and one writer do not wait for each other. */
  isWal: boolean;
  /** Somebody else opened it, and closes it. */
  isForeign: boolean;
}

/** The driver waits so long by itself. It blocks the event loop meanwhile, so the long wait is ours. */
const busyTimeoutMs = 5;

/** Up to this size a file is checked as a whole, which takes some milliseconds. Of a larger one the damage shows when it is met. */
const checkedBytes = 4 * 1024 * 1024;

/** Opens a store, and makes its tables if it is new. Damaged and newer ones are refused before anything is written. */
export async function openDatabase(source: string | SqliteDatabase, settings: SqliteSettings): Promise<OpenDatabase> {
  if (typeof source !== "string") {
    checkDatabase(source);
    const connection = new Connection(source);
    const store = nameOf(connection);
    check(connection, store, true);
    return prepare({ connection, store, isWal: false, isForeign: true }, settings);
  }
  const driver = await loadDriver();
  if (source !== ":memory:") checkFile(source, driver);
  const connection = new Connection(driver.open(source));
  try {
    return prepare({ connection, store: source, isWal: false, isForeign: false }, settings);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Looks at a file that exists, by a connection that cannot write. */
function checkFile(path: string, driver: Driver): void {
  if (!existsSync(path)) return;
  const { size } = statSync(path);
  if (size === 0) return;
  if (!hasHeader(path)) throw damagedStore(path, "It is not an SQLite database.");
  const connection = new Connection(driver.openReadOnly(path));
  try {
    check(connection, path, size <= checkedBytes);
  } finally {
    connection.close();
  }
}

function check(connection: Connection, store: string, isWhole: boolean): void {
  checkVersion(connection, store);
  if (!isWhole) return;
  const problems = connection.rows("PRAGMA quick_check(1)", []).map(([problem]) => String(problem));
  if (problems[0] !== "ok") throw damagedStore(store, `SQLite's check of it says: ${problems.join("; ")}`);
}

/** The first bytes of every SQLite database (sqlite.org/fileformat.html). */
function hasHeader(path: string): boolean {
  const header = Buffer.alloc(16);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  return header.toString("latin1") === "SQLite format 3\0";
}

function prepare(database: OpenDatabase, { durability, logger }: SqliteSettings): OpenDatabase {
  const { connection, store } = database;
  connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  connection.exec("PRAGMA foreign_keys = ON");
  const mode = journalMode(connection);
  const isWal = mode === "wal";
  if (!isWal && mode !== "memory") {
    logger?.({ level: "warn", message: `${store}: the journal mode WAL was refused, it stays "${mode}". The store works, more slowly.` });
  }
  // Without a write-ahead log a lesser mode can break the file when the power fails.
  connection.exec(`PRAGMA synchronous = ${isWal && durability === "process" ? "NORMAL" : "FULL"}`);
  migrate(connection, store);
  return { ...database, isWal };
}

/** Asks for WAL, and says which mode it came to. Some file systems cannot do it, and SQLite then stays where it was without an error. */
function journalMode(connection: Connection): string {
  try {
    connection.rows("PRAGMA journal_mode = WAL", []);
  } catch (error) {
    // Nothing else than waiting helps against a lock; everything else is said by what is read back.
    if (isBusy(error)) throw error;
  }
  return String(connection.first("PRAGMA journal_mode", [])?.[0]);
}

function nameOf(connection: Connection): string {
  const main = connection.rows("PRAGMA database_list", []).find(([, name]) => name === "main");
  const path = main?.[2];
  return typeof path === "string" && path !== "" ? path : ":memory:";
}
