import type { TextView } from "../operations/session-view.ts";
import type { Artifact } from "../storage.ts";
import { cutPieces, encodeArtifact, readArtifact, writePieces } from "./artifact-text.ts";
import type { BatchTarget } from "./batch-target.ts";

/** The artifacts of a session, while a batch is applied to it. Their texts are in pieces, so that they grow and are read in ranges. */
export class ArtifactRows implements TextView<Artifact> {
  readonly #target: BatchTarget;

  constructor(target: BatchTarget) {
    this.#target = target;
  }

  get(id: string): Artifact | undefined {
    return readArtifact(this.#target, this.#target.session, id, { offset: 0, limit: Infinity });
  }

  put(id: string, artifact: Artifact): void {
    this.delete(id);
    const { connection, session } = this.#target;
    const key = connection.insert("INSERT INTO artifact (session, id, length, data) VALUES (?, ?, ?, ?)", [
      session.key,
      id,
      artifact.text.length,
      encodeArtifact(artifact),
    ]);
    writePieces(this.#target, key, 0, artifact.text);
  }

  append(id: string, offset: number, text: string): boolean {
    const { connection, session } = this.#target;
    const row = connection.first("SELECT key, length FROM artifact WHERE session = ? AND id = ?", [session.key, id]);
    if (row === undefined) return false;
    const key = Number(row[0]);
    const length = Number(row[1]);
    if (offset > length || (offset < length && !cutPieces(this.#target, key, offset))) return false;
    writePieces(this.#target, key, offset, text);
    connection.run("UPDATE artifact SET length = ? WHERE key = ?", [offset + text.length, key]);
    return true;
  }

  /** Nothing follows its changes, so that it leaves no tombstone. */
  delete(id: string): void {
    this.#target.connection.run("DELETE FROM artifact WHERE session = ? AND id = ?", [this.#target.session.key, id]);
  }
}
