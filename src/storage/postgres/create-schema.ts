import { quoteIdentifier, quoteLiteral, type Tables } from "./schema-name.ts";

/** The version of the tables below. A store with a newer one is refused. */
export const schemaVersion = 1;

/**
 * Creates the schema and its tables, if they are not there. One statement, so that it needs no transaction of the driver; the
 * lock makes a second process wait, which then finds them. What exists is not created again, as somebody without the right
 * to create may use a schema that was made for him.
 *
 * Rows are JSON in a text column: `jsonb` would reorder keys and refuse NUL. Stamps (`stamp`) are the session's `seq` of the
 * newest write, places (`created`) the order of creation; `deleted` rows are tombstones.
 */
export function createSchemaStatement(schema: string, tables: Tables): string {
  const body = `BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('throughline'), hashtext(${quoteLiteral(schema)}));
  IF to_regclass(${quoteLiteral(tables.meta)}) IS NULL THEN
    IF to_regnamespace(${quoteLiteral(quoteIdentifier(schema))}) IS NULL THEN CREATE SCHEMA ${quoteIdentifier(schema)}; END IF;
    ${tableStatements(tables).join("\n    ")}
    INSERT INTO ${tables.meta} (version) VALUES (${schemaVersion});
  END IF;
END`;
  return `DO ${quoteLiteral(body)}`;
}

function tableStatements(t: Tables): string[] {
  return [
    `CREATE TABLE ${t.meta} (version integer NOT NULL);`,
    // Which commit of the whole store was the newest to a session.
    `CREATE SEQUENCE ${t.commits};`,
    `CREATE TABLE ${t.session} (id text PRIMARY KEY, parent_id text, root_id text NOT NULL, directory text, project_id text,
      title text NOT NULL, agent text NOT NULL, seq bigint NOT NULL, stamp bigint NOT NULL, floor bigint NOT NULL, changed bigint NOT NULL,
      tombstones bigint NOT NULL DEFAULT 0, births bigint NOT NULL DEFAULT 0, deleted boolean NOT NULL, data text);`,
    `CREATE INDEX session_by_change ON ${t.session} (changed) WHERE NOT deleted;`,
    `CREATE INDEX session_by_parent ON ${t.session} (parent_id, changed) WHERE parent_id IS NOT NULL AND NOT deleted;`,
    `CREATE TABLE ${t.message} (session_id text, id text, created bigint NOT NULL, position bigint, queued boolean NOT NULL,
      stamp bigint NOT NULL, deleted boolean NOT NULL, data text, PRIMARY KEY (session_id, id));`,
    `CREATE INDEX message_by_stamp ON ${t.message} (session_id, stamp);`,
    `CREATE INDEX message_by_position ON ${t.message} (session_id, position) WHERE position IS NOT NULL AND NOT deleted;`,
    `CREATE INDEX message_queued ON ${t.message} (session_id, created) WHERE queued;`,
    // The text of a part is what its row says, followed by its pieces; "size" is the length of both, in UTF-16 code units.
    `CREATE TABLE ${t.part} (session_id text, message_id text, id text, created bigint NOT NULL, size bigint, grown boolean NOT NULL,
      stamp bigint NOT NULL, deleted boolean NOT NULL, data text, PRIMARY KEY (session_id, message_id, id));`,
    `CREATE INDEX part_by_stamp ON ${t.part} (session_id, stamp);`,
    `CREATE TABLE ${t.part_text} (session_id text, message_id text, part_id text, start bigint, text text NOT NULL,
      PRIMARY KEY (session_id, message_id, part_id, start));`,
    `CREATE TABLE ${t.ask} (session_id text, id text, root_id text NOT NULL, created bigint NOT NULL, status text,
      stamp bigint NOT NULL, deleted boolean NOT NULL, data text, PRIMARY KEY (session_id, id));`,
    `CREATE INDEX ask_by_stamp ON ${t.ask} (session_id, stamp);`,
    `CREATE INDEX ask_by_root ON ${t.ask} (root_id) WHERE NOT deleted;`,
    `CREATE INDEX ask_waiting ON ${t.ask} (session_id, created) WHERE status <> 'closed' AND NOT deleted;`,
    `CREATE TABLE ${t.artifact} (session_id text, id text, size bigint NOT NULL, data text NOT NULL, PRIMARY KEY (session_id, id));`,
    `CREATE TABLE ${t.artifact_text} (session_id text, artifact_id text, start bigint, length bigint NOT NULL, text text NOT NULL,
      PRIMARY KEY (session_id, artifact_id, start));`,
    `CREATE TABLE ${t.abort} (session_id text, id text, created bigint NOT NULL, stamp bigint NOT NULL, deleted boolean NOT NULL,
      data text, PRIMARY KEY (session_id, id));`,
    // Outlives its session, so that a fence never repeats.
    `CREATE TABLE ${t.lease} (root_id text PRIMARY KEY, owner text, fence bigint NOT NULL, deadline double precision NOT NULL);`,
  ];
}
