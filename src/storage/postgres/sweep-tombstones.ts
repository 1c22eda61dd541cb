import type { Database } from "./database.ts";
import { toKey } from "./key.ts";
import { Statement } from "./statement.ts";

/** Enough for a client that was away during a long turn; every dropped attempt leaves some. */
const tombstonesKept = 1_000;
export const tombstonesBeforeSweep = 2_000;

const stoneTables = ["message", "part", "ask", "abort"] as const;

/** Drops a session's oldest tombstones. Whole stamps only: who knows a stamp can rely on all the tombstones after it. */
export async function sweepTombstones(database: Database, sessionID: string): Promise<void> {
  const { tables } = database;
  const statement = new Statement();
  const session = statement.value(toKey(sessionID));
  const stones = stoneTables.map((table) => `SELECT stamp FROM ${tables[table]} WHERE session_id = ${session} AND deleted`);
  statement.with("newest_dropped", `SELECT stamp FROM (${stones.join(" UNION ALL ")}) stones ORDER BY stamp DESC OFFSET ${tombstonesKept} LIMIT 1`);
  statement.with(
    "head",
    `UPDATE ${tables.session} s SET floor = greatest(s.floor, n.stamp), tombstones = ${tombstonesKept}
    FROM newest_dropped n WHERE s.id = ${session} AND NOT s.deleted RETURNING s.id, s.floor`,
  );
  for (const table of stoneTables) {
    statement.with(`swept_${table}`, `DELETE FROM ${tables[table]} r USING head WHERE r.session_id = head.id AND r.deleted AND r.stamp <= head.floor`);
  }
  await database.rows(statement, "SELECT floor FROM head");
}
