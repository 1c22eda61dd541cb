export { postgresStorage, type PostgresStorageOptions } from "./postgres-storage.ts";
export type { PostgresClient } from "./postgres-client.ts";
