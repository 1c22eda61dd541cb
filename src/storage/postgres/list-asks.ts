import { InvalidArgumentError } from "../../errors.ts";
import type { Ask } from "../../message/ask.ts";
import type { Database } from "./database.ts";
import { fromKey, toKey } from "./key.ts";
import type { RowReader } from "./row-reader.ts";
import { Statement } from "./statement.ts";

const statuses: readonly Ask["status"][] = ["open", "replied", "closed"];

/** Asks of one tree or of all, in order of creation within each session. */
export async function listAsks(database: Database, reader: RowReader, query: { rootID?: string | undefined; status?: Ask["status"] | undefined }): Promise<Ask[]> {
  const statement = new Statement();
  const conditions = ["NOT a.deleted"];
  if (query.rootID !== undefined) conditions.push(`a.root_id = ${statement.value(toKey(query.rootID))}`);
  if (query.status !== undefined) {
    if (!statuses.includes(query.status)) throw new InvalidArgumentError("listAsks.status", `must be one of ${statuses.join(", ")}.`);
    // Not a parameter: so the planner sees that the index of the waiting ones will do.
    conditions.push(`a.status = '${query.status}'`, ...(query.status === "closed" ? [] : ["a.status <> 'closed'"]));
  }
  const rows = await database.rows(
    statement,
    `SELECT a.session_id, a.id, a.data FROM ${database.tables.ask} a WHERE ${conditions.join(" AND ")} ORDER BY a.session_id, a.created`,
  );
  return rows.flatMap((row) => reader.read("ask", fromKey(String(row["session_id"])), row) ?? []);
}
