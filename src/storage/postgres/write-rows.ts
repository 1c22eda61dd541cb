import type { Tables } from "./schema-name.ts";
import { toKey } from "./key.ts";
import type { Statement } from "./statement.ts";
import type { WrittenRows } from "./written-rows.ts";

/** Only a row that comes back after its deletion gets a new place. */
const place = "created = CASE WHEN r.deleted THEN excluded.created ELSE r.created END, stamp = excluded.stamp, deleted = excluded.deleted, data = excluded.data";

/** Messages, asks and abort requests. */
export function writeRecords(tables: Tables, statement: Statement, rows: WrittenRows, rootID: string): void {
  if (rows.messages.length > 0) {
    const source = statement.rows(rows.messages, "key text, created bigint, position bigint, queued boolean, data text");
    statement.with(
      "messages",
      `INSERT INTO ${tables.message} AS r (session_id, id, created, position, queued, stamp, deleted, data)
      SELECT head.id, x.key, x.created, x.position, x.queued, head.seq, x.data IS NULL, x.data FROM head, ${source}
      ON CONFLICT (session_id, id) DO UPDATE SET position = excluded.position, queued = excluded.queued, ${place}`,
    );
  }
  if (rows.asks.length > 0) {
    const root = statement.value(toKey(rootID));
    const source = statement.rows(rows.asks, "key text, created bigint, status text, data text");
    statement.with(
      "asks",
      `INSERT INTO ${tables.ask} AS r (session_id, id, root_id, created, status, stamp, deleted, data)
      SELECT head.id, x.key, ${root}, x.created, x.status, head.seq, x.data IS NULL, x.data FROM head, ${source}
      ON CONFLICT (session_id, id) DO UPDATE SET status = excluded.status, ${place}`,
    );
  }
  if (rows.aborts.length > 0) {
    const source = statement.rows(rows.aborts, "key text, created bigint, data text");
    statement.with(
      "aborts",
      `INSERT INTO ${tables.abort} AS r (session_id, id, created, stamp, deleted, data)
      SELECT head.id, x.key, x.created, head.seq, x.data IS NULL, x.data FROM head, ${source}
      ON CONFLICT (session_id, id) DO UPDATE SET ${place}`,
    );
  }
}

/** No row is touched by two of these expressions: all see the tables as they were before, in no order. */
export function writeParts(tables: Tables, statement: Statement, rows: WrittenRows): void {
  if (rows.emptied.length > 0) emptyMessages(tables, statement, rows.emptied);
  if (rows.parts.length > 0) {
    const source = statement.rows(rows.parts, "message text, key text, created bigint, size bigint, data text");
    statement.with(
      "parts",
      `INSERT INTO ${tables.part} AS r (session_id, message_id, id, created, size, grown, stamp, deleted, data)
      SELECT head.id, x.message, x.key, x.created, x.size, false, head.seq, x.data IS NULL, x.data FROM head, ${source}
      ON CONFLICT (session_id, message_id, id) DO UPDATE SET size = excluded.size, grown = false, ${place}`,
    );
  }
  if (rows.ungrown.length > 0) {
    const source = statement.rows(rows.ungrown, "message text, key text");
    statement.with(
      "old_pieces",
      `DELETE FROM ${tables.part_text} t USING head, ${source} WHERE t.session_id = head.id AND t.message_id = x.message AND t.part_id = x.key`,
    );
  }
  if (rows.grown.length > 0) {
    const source = statement.rows(rows.grown, "message text, key text, size bigint");
    statement.with(
      "grown_parts",
      `UPDATE ${tables.part} r SET size = x.size, grown = true, stamp = head.seq FROM head, ${source}
      WHERE r.session_id = head.id AND r.message_id = x.message AND r.id = x.key`,
    );
  }
  if (rows.partPieces.length > 0) {
    const source = statement.rows(rows.partPieces, "message text, key text, start bigint, text text");
    statement.with(
      "part_pieces",
      `INSERT INTO ${tables.part_text} (session_id, message_id, part_id, start, text)
      SELECT head.id, x.message, x.key, x.start, x.text FROM head, ${source}`,
    );
  }
}

function emptyMessages(tables: Tables, statement: Statement, messages: readonly string[]): void {
  const keys = messages.map((message) => ({ message }));
  statement.with(
    "emptied",
    `UPDATE ${tables.part} r SET deleted = true, data = NULL, size = NULL, grown = false, stamp = head.seq FROM head, ${statement.rows(keys, "message text")}
    WHERE r.session_id = head.id AND r.message_id = x.message AND NOT r.deleted`,
  );
  statement.with(
    "emptied_pieces",
    `DELETE FROM ${tables.part_text} t USING head, ${statement.rows(keys, "message text")} WHERE t.session_id = head.id AND t.message_id = x.message`,
  );
}

export function writeArtifacts(tables: Tables, statement: Statement, rows: WrittenRows): void {
  if (rows.goneArtifacts.length > 0) {
    const [gone, put, kept] = [rows.goneArtifacts.map((key) => ({ key })), rows.artifacts.map(({ key }) => ({ key })), rows.artifactPieces.map(({ key, start }) => ({ key, start }))];
    statement.with(
      "gone_artifacts",
      `DELETE FROM ${tables.artifact} r USING head, ${statement.rows(gone, "key text")}
      WHERE r.session_id = head.id AND r.id = x.key AND r.id NOT IN (SELECT x.key FROM ${statement.rows(put, "key text")})`,
    );
    statement.with(
      "gone_artifact_pieces",
      `DELETE FROM ${tables.artifact_text} t USING head, ${statement.rows(gone, "key text")} WHERE t.session_id = head.id AND t.artifact_id = x.key
      AND (t.artifact_id, t.start) NOT IN (SELECT x.key, x.start FROM ${statement.rows(kept, "key text, start bigint")})`,
    );
  }
  if (rows.artifacts.length > 0) {
    statement.with(
      "artifacts",
      `INSERT INTO ${tables.artifact} (session_id, id, size, data)
      SELECT head.id, x.key, x.size, x.data FROM head, ${statement.rows(rows.artifacts, "key text, size bigint, data text")}
      ON CONFLICT (session_id, id) DO UPDATE SET size = excluded.size, data = excluded.data`,
    );
  }
  if (rows.grownArtifacts.length > 0) {
    statement.with(
      "grown_artifacts",
      `UPDATE ${tables.artifact} r SET size = x.size FROM head, ${statement.rows(rows.grownArtifacts, "key text, size bigint")}
      WHERE r.session_id = head.id AND r.id = x.key`,
    );
  }
  if (rows.artifactPieces.length > 0) {
    statement.with(
      "artifact_pieces",
      `INSERT INTO ${tables.artifact_text} (session_id, artifact_id, start, length, text)
      SELECT head.id, x.key, x.start, x.length, x.text FROM head, ${statement.rows(rows.artifactPieces, "key text, start bigint, length bigint, text text")}
      ON CONFLICT (session_id, artifact_id, start) DO UPDATE SET length = excluded.length, text = excluded.text`,
    );
  }
}
