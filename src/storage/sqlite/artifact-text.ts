import type { Artifact } from "../storage.ts";
import { decodeRow, decodeString, encodeRow, encodeString } from "./row-json.ts";
import { isArtifact } from "../row-shape.ts";
import type { Reader } from "./stored-rows.ts";

/** Length of a piece, in UTF-16 code units: a range is read without much of what is around it. */
const pieceLength = 16_384;

export const encodeArtifact = (artifact: Artifact): string => encodeRow(artifact, { id: true, sessionID: true, text: true, size: true });

/** What {@link readArtifact} finds in a session, if there is one. */
export function findArtifact(
  reader: Reader,
  sessionID: string,
  id: string,
  { offset = 0, limit = Infinity }: { offset?: number | undefined; limit?: number | undefined },
): Artifact | undefined {
  const row = reader.connection.first("SELECT key FROM session WHERE id = ? AND deleted = 0", [sessionID]);
  return row === undefined ? undefined : readArtifact(reader, { key: Number(row[0]), id: sessionID }, id, { offset, limit });
}

/**
 * An artifact with its text from `offset` on, at most `limit` long. Only the pieces that the range touches are read.
 * `undefined` when there is none, or when it is damaged.
 */
export function readArtifact(reader: Reader, session: { key: number; id: string }, id: string, range: { offset: number; limit: number }): Artifact | undefined {
  const { connection, damage } = reader;
  const columns = connection.first("SELECT key, length, CAST(data AS BLOB) AS data FROM artifact WHERE session = ? AND id = ?", [session.key, id]);
  if (columns === undefined) return undefined;
  const [key, length, data] = columns;
  const row = decodeRow(data);
  const text = readText(reader, Number(key), range);
  if (row === undefined || text === undefined || !isArtifact(row)) {
    damage.report("artifact", key, { sessionID: session.id, id });
    return undefined;
  }
  return { ...row, id, sessionID: session.id, text, size: Number(length) };
}

function readText({ connection }: Reader, artifact: number, { offset, limit }: { offset: number; limit: number }): string | undefined {
  const end = Math.min(offset + limit, Number.MAX_SAFE_INTEGER);
  const pieces = connection.rows(
    `SELECT offset, CAST(text AS BLOB) AS text FROM artifact_piece
     WHERE artifact = ?1 AND offset >= coalesce((SELECT max(offset) FROM artifact_piece WHERE artifact = ?1 AND offset <= ?2), 0) AND offset < ?3
     ORDER BY offset`,
    [artifact, offset, end],
  );
  const start = Number(pieces[0]?.[0] ?? 0);
  let text = "";
  for (const [, piece] of pieces) {
    const decoded = decodeString(piece);
    if (decoded === undefined) return undefined;
    text += decoded;
  }
  return text.slice(Math.max(0, offset - start), end - start);
}

/** Adds text behind what is there. */
export function writePieces({ connection }: Reader, artifact: number, offset: number, text: string): void {
  for (let start = 0; start < text.length; start += pieceLength) {
    connection.run("INSERT INTO artifact_piece (artifact, offset, text) VALUES (?, ?, ?)", [
      artifact,
      offset + start,
      encodeString(text.slice(start, start + pieceLength)),
    ]);
  }
}

/** Drops the text from `offset` on. False when the piece that has to be cut is damaged. */
export function cutPieces({ connection }: Reader, artifact: number, offset: number): boolean {
  connection.run("DELETE FROM artifact_piece WHERE artifact = ? AND offset >= ?", [artifact, offset]);
  const last = connection.first("SELECT offset, CAST(text AS BLOB) AS text FROM artifact_piece WHERE artifact = ? ORDER BY offset DESC LIMIT 1", [artifact]);
  if (last === undefined) return true;
  const start = Number(last[0]);
  const text = decodeString(last[1]);
  if (text === undefined) return false;
  if (start + text.length > offset) {
    connection.run("UPDATE artifact_piece SET text = ? WHERE artifact = ? AND offset = ?", [encodeString(text.slice(0, offset - start)), artifact, start]);
  }
  return true;
}
