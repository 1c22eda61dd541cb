import { StorageDamagedError, StorageError, ThroughlineError } from "../../errors.ts";
import { errorMessage } from "../../util/error-message.ts";

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
const codes = { SQLITE_BUSY: 5, SQLITE_LOCKED: 6, SQLITE_CORRUPT: 11, SQLITE_NOTADB: 26 } as const;

/** Somebody else has the lock. The same call may work a moment later. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === codes.SQLITE_BUSY || code === codes.SQLITE_LOCKED;
}

/** The file, or a page of it, is not what SQLite wrote. */
function isDamage(error: unknown): boolean {
  const code = primaryCode(error);
  return code === codes.SQLITE_CORRUPT || code === codes.SQLITE_NOTADB;
}

/** What was thrown, as the error that a caller of the store gets. */
export function asStoreError(error: unknown, store: string): ThroughlineError {
  if (ThroughlineError.isInstance(error)) return error;
  const problem = errorMessage(error);
  if (isDamage(error)) return damagedStore(store, `SQLite says "${problem}".`, error);
  return new StorageError(`SQLite failed on ${store}: ${problem}`, error);
}

export function damagedStore(store: string, problem: string, cause?: unknown): StorageDamagedError {
  return new StorageDamagedError(
    store,
    problem,
    `Make a copy of it first, with the files that end in -wal and -shm. Then restore a backup, or save what can be read: sqlite3 "${store}" .recover | sqlite3 recovered.db`,
    cause,
  );
}

/** The drivers name the same code in four ways. */
function primaryCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { errcode, rawCode, errno, code } = error as Record<string, unknown>;
  const number = [errcode, rawCode, errno].find((value) => typeof value === "number");
  // The upper bits tell details.
  if (typeof number === "number") return number & 0xff;
  if (typeof code !== "string") return undefined;
  return Object.entries(codes).find(([name]) => code.startsWith(name))?.[1];
}
