export type { SqliteDatabase } from "./connection.ts";
export type { SqliteStorageOptions } from "./sqlite-options.ts";
export { sqliteStorage } from "./sqlite-storage.ts";
