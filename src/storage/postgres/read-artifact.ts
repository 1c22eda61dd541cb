import type { Artifact } from "../storage.ts";
import type { Database } from "./database.ts";
import { toKey } from "./key.ts";
import type { RowReader } from "./row-reader.ts";
import { Statement } from "./statement.ts";

/** An artifact, or a range of it: only the pieces that the range touches are read. */
export async function readArtifact(
  database: Database,
  reader: RowReader,
  key: { sessionID: string; artifactID: string },
  { offset = 0, limit = Infinity }: { offset?: number | undefined; limit?: number | undefined },
): Promise<Artifact | undefined> {
  const { tables } = database;
  const statement = new Statement();
  const [session, id] = [statement.value(toKey(key.sessionID)), statement.value(toKey(key.artifactID))];
  const end = Number.isFinite(limit) ? `AND t.start < ${statement.number(offset + limit)}` : "";
  const [row] = await database.rows(
    statement,
    `SELECT a.id, a.size, a.data, t.start, t.tail FROM ${tables.artifact} a CROSS JOIN LATERAL (
      SELECT min(t.start) AS start, string_agg(t.text, ',' ORDER BY t.start) AS tail FROM ${tables.artifact_text} t
      WHERE t.session_id = a.session_id AND t.artifact_id = a.id AND t.start + t.length > ${statement.number(offset)} ${end}) t
    WHERE a.session_id = ${session} AND a.id = ${id}`,
  );
  if (row === undefined) return undefined;
  const artifact = reader.read("artifact", key.sessionID, row);
  if (artifact === undefined) return undefined;
  const start = offset - Number(row["start"]);
  return { ...artifact, size: Number(row["size"]), text: artifact.text.slice(start, start + limit) };
}
