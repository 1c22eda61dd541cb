import type { Tables } from "./schema-name.ts";

/** The pieces that follow a part's own text, joined by commas. Most parts have none, and are not looked up. */
export function partTail(tables: Tables, part: string): string {
  return `CASE WHEN ${part}.grown THEN (SELECT string_agg(t.text, ',' ORDER BY t.start) FROM ${tables.part_text} t
    WHERE t.session_id = ${part}.session_id AND t.message_id = ${part}.message_id AND t.part_id = ${part}.id) END`;
}

/** An artifact's pieces, joined by commas. Its row has no text of its own. */
export function artifactTail(tables: Tables, artifact: string): string {
  return `(SELECT string_agg(t.text, ',' ORDER BY t.start) FROM ${tables.artifact_text} t
    WHERE t.session_id = ${artifact}.session_id AND t.artifact_id = ${artifact}.id)`;
}
