import { LeaseLostError, SessionNotFoundError } from "../../errors.ts";
import { isInForce, type Holding } from "../operations/lease-rules.ts";
import type { Batch, Lease } from "../storage.ts";
import type { CommitTarget } from "./commit-target.ts";
import type { Database } from "./database.ts";
import { fromKey, toKey } from "./key.ts";
import { notifyCall } from "./notify-call.ts";
import { untilSettled } from "./race.ts";
import { quoteLiteral } from "./schema-name.ts";
import { Statement } from "./statement.ts";
import { fenceQuery } from "./write-batch.ts";

/** A session of the tree that is to go, as it was judged. */
interface Doomed {
  key: string;
  seq: number;
  births: number;
}

const rowTables = ["message", "part", "part_text", "ask", "artifact", "artifact_text", "abort"] as const;

/** Deletes a session and all that descends from it. Returns its last `seq`. */
export async function deleteSession({ database, clock }: Pick<CommitTarget, "database" | "clock">, batch: Batch): Promise<number> {
  return untilSettled(clock, async () => {
    const { tree, seq, rootID, holding } = await loadTree(database, batch.sessionID);
    if (seq === undefined) throw new SessionNotFoundError(batch.sessionID);
    if (tree.length === 0) return seq;
    if (batch.lease === undefined || !isInForce(holding, batch.lease, rootID)) throw new LeaseLostError(rootID);
    return writeTombstones(database, batch.sessionID, batch.lease, tree);
  });
}

interface LoadedTree {
  tree: Doomed[];
  /** Also of a session that was deleted already. */
  seq: number | undefined;
  rootID: string;
  holding: Holding | undefined;
}

async function loadTree(database: Database, sessionID: string): Promise<LoadedTree> {
  const { tables } = database;
  const statement = new Statement();
  const session = statement.value(toKey(sessionID));
  const columns = "s.id, s.root_id, s.seq, s.births, s.deleted";
  const query = `WITH RECURSIVE tree AS (
      SELECT ${columns} FROM ${tables.session} s WHERE s.id = ${session}
      UNION ALL SELECT ${columns} FROM tree JOIN ${tables.session} s ON s.parent_id = tree.id AND NOT s.deleted AND NOT tree.deleted)
    SELECT tree.*, l.owner, l.fence, l.deadline FROM tree LEFT JOIN ${tables.lease} l ON l.root_id = tree.root_id`;
  const rows = await database.rows(statement, query);
  const own = rows.find(({ id }) => id === toKey(sessionID));
  const owner = own?.["owner"];
  return {
    tree: rows.filter(({ deleted }) => deleted !== true).map((row) => ({ key: String(row["id"]), seq: Number(row["seq"]), births: Number(row["births"]) })),
    seq: own === undefined ? undefined : Number(own["seq"]),
    rootID: fromKey(String(own?.["root_id"])),
    holding: typeof owner === "string" ? { owner: fromKey(owner), fence: Number(own?.["fence"]), deadline: Number(own?.["deadline"]) } : undefined,
  };
}

/**
 * All or nothing: a session that was written to since, or got a child, is not as it was judged. Its new rows would not be
 * seen by this statement, and would be left over.
 */
async function writeTombstones(database: Database, sessionID: string, lease: Lease, tree: readonly Doomed[]): Promise<number | undefined> {
  const { tables } = database;
  const statement = new Statement();
  const doomed = statement.rows(tree, "key text, seq bigint, births bigint");
  statement.with("fence", fenceQuery(tables, statement, lease, "UPDATE"));
  statement.with(
    "locked",
    `SELECT s.id FROM ${tables.session} s JOIN ${doomed} ON s.id = x.key AND s.seq = x.seq AND s.births = x.births
    WHERE NOT s.deleted AND EXISTS (SELECT 1 FROM fence) ORDER BY s.id FOR UPDATE OF s`,
  );
  statement.with(
    "gone",
    `UPDATE ${tables.session} s SET deleted = true, seq = s.seq + 1, stamp = s.seq + 1, changed = nextval(${quoteLiteral(tables.commits)}::regclass), title = '', agent = '', data = NULL
    FROM locked WHERE s.id = locked.id AND (SELECT count(*) FROM locked) = ${tree.length} RETURNING s.id, s.root_id, s.seq`,
  );
  // Or else the owner could write on into a session that is created anew under the same id.
  statement.with(
    "ended",
    `UPDATE ${tables.lease} l SET owner = NULL, fence = l.fence + 1 FROM gone WHERE l.root_id = gone.id`,
  );
  for (const table of rowTables) statement.with(`gone_${table}`, `DELETE FROM ${tables[table]} r USING gone WHERE r.session_id = gone.id`);
  const rows = (await database.rowsUnlessRaced(statement, `SELECT gone.id, gone.seq, ${notifyCall(database, "gone.id")} FROM gone`)) ?? [];
  const own = rows.find(({ id }) => id === toKey(sessionID));
  return own === undefined ? undefined : Number(own["seq"]);
}
