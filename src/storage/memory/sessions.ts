import { SessionNotFoundError } from "../../errors.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { checkNewSession } from "../operations/new-session.ts";
import { SessionRecord } from "./session-record.ts";

/** All the sessions of a store, and the tombstones of the deleted ones. */
export class Sessions {
  readonly #records = new Map<string, SessionRecord>();
  /** `seq` by session id. Kept for good: a session that is created again goes on from there. */
  readonly #tombstones = new Map<string, number>();
  #commits = 0;

  find(sessionID: string): SessionRecord | undefined {
    return this.#records.get(sessionID);
  }

  /** @throws {SessionNotFoundError} */
  get(sessionID: string): SessionRecord {
    const record = this.#records.get(sessionID);
    if (record === undefined) throw new SessionNotFoundError(sessionID);
    return record;
  }

  all(): Iterable<SessionRecord> {
    return this.#records.values();
  }

  /** The last `seq` of a deleted session. */
  tombstone(sessionID: string): number | undefined {
    return this.#tombstones.get(sessionID);
  }

  /** A new session, which nobody sees before its first commit is `noted`. */
  prepare(session: SessionInfo): SessionRecord {
    const parent = session.parentID === undefined ? undefined : this.#records.get(session.parentID);
    checkNewSession(session, this.#records.get(session.id)?.session(), parent);
    const record = new SessionRecord(session, this.#tombstones.get(session.id) ?? 0);
    record.putSession(deepFreeze(session));
    return record;
  }

  /** Takes note of a commit: the session is a fact, and the one with the newest change. */
  note(record: SessionRecord): void {
    this.#records.set(record.id, record);
    this.#tombstones.delete(record.id);
    this.#commits += 1;
    record.changed = this.#commits;
  }

  /** Leaves tombstones of a session and all that descend from it. Returns their ids. */
  delete(record: SessionRecord): string[] {
    const deleted = [record.id, ...this.#descendants(record)];
    for (const sessionID of deleted) {
      this.#tombstones.set(sessionID, this.get(sessionID).seq + 1);
      this.#records.delete(sessionID);
    }
    return deleted;
  }

  #descendants(record: SessionRecord): string[] {
    const children = [...this.#records.values()].filter((other) => other.parentID === record.id);
    return children.flatMap((child) => [child.id, ...this.#descendants(child)]);
  }
}
