import type { SessionHead } from "./batch-target.ts";
import type { Reader } from "./stored-rows.ts";

/** What is deleted with a session, children before what they hang on. */
const tables = ["message", "ask", "abort", "artifact", "tombstone"];

/** Deletes a session with all that descend from it. Their rows stay as tombstones. Returns their ids. */
export function deleteSession({ connection }: Reader, session: SessionHead): string[] {
  const rows = connection.rows("SELECT key, id, parentID FROM session WHERE rootID = ? AND deleted = 0", [session.rootID]);
  const deleted = withDescendants(session, rows);
  for (const { key } of deleted) {
    for (const table of tables) connection.run(`DELETE FROM ${table} WHERE session = ?`, [key]);
    connection.run("UPDATE session SET deleted = 1, seq = seq + 1, stamp = seq + 1, directory = NULL, projectID = NULL, data = '{}' WHERE key = ?", [key]);
  }
  // Or else the owner could write on into a session that is created anew under the same id.
  if (session.id === session.rootID) connection.run("UPDATE lease SET owner = NULL WHERE root = ?", [session.rootID]);
  return deleted.map(({ id }) => id);
}

function withDescendants(session: { key: number; id: string }, tree: readonly (readonly unknown[])[]): { key: number; id: string }[] {
  const children = tree.filter(([, , parentID]) => parentID === session.id).map(([key, id]) => ({ key: Number(key), id: String(id) }));
  return [session, ...children.flatMap((child) => withDescendants(child, tree))];
}
