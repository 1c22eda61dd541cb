import type { Database } from "./database.ts";
import { quoteLiteral } from "./schema-name.ts";

/** PostgreSQL takes less than 8,000 bytes; a longer id is left out, and every watcher is told. */
const longestPayload = 2_000;

/** The SQL call that tells the watchers of a session, when the statement's transaction is committed. */
export function notifyCall({ schema }: Database, id: string): string {
  return `pg_notify(${quoteLiteral(schema)}, CASE WHEN octet_length(${id}) > ${longestPayload} THEN '' ELSE ${id} END)`;
}
