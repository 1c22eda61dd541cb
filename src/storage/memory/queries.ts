import { InvalidArgumentError, SessionNotFoundError } from "../../errors.ts";
import type { Ask } from "../../message/ask.ts";
import { pageLimit } from "../page-limit.ts";
import type { Artifact, ChangePage, Inbox } from "../storage.ts";
import type { SessionRecord } from "./session-record.ts";

/** What waits for the owner of a session. */
export function inboxOf(record: SessionRecord): Inbox {
  return {
    seq: record.seq,
    queued: record.queuedPrompts(),
    asks: [...record.asks.rows()].filter((ask) => ask.status !== "closed"),
    aborts: [...record.aborts.rows()],
  };
}

/** A session's asks, in order of creation. */
export function asksOf(record: SessionRecord, query: { rootID?: string | undefined; status?: Ask["status"] | undefined }): Ask[] {
  if (query.rootID !== undefined && query.rootID !== record.rootID) return [];
  return [...record.asks.rows()].filter((ask) => query.status === undefined || ask.status === query.status);
}

/** A session that is there, or was. */
export interface KnownSession {
  sessionID: string;
  record: SessionRecord | undefined;
  /** The last `seq` of a deleted session. */
  tombstone: number | undefined;
}

/** What changed in a session. */
export function changePage(
  { sessionID, record, tombstone: seq }: KnownSession,
  query: { after: number; limit?: number | undefined },
): ChangePage {
  const { after } = query;
  if (!Number.isInteger(after) || after < 0)
    throw new InvalidArgumentError("changes.after", `must be a seq (a whole number from 0 on), not ${after}.`);
  const limit = pageLimit(query.limit, 500, "changes.limit");
  if (record !== undefined) return record.changes(after, limit);
  if (seq === undefined) throw new SessionNotFoundError(sessionID);
  if (after > seq) return { changes: [], seq, more: false, reset: true };
  return { changes: after === seq ? [] : [{ seq, type: "session.deleted", sessionID }], seq, more: false };
}

/** An artifact's text, or a range of it. */
export function artifactOf(
  record: SessionRecord | undefined,
  artifactID: string,
  { offset = 0, limit = Infinity }: { offset?: number | undefined; limit?: number | undefined },
): Artifact | undefined {
  const artifact = record?.artifacts.get(artifactID);
  if (artifact === undefined || (offset === 0 && limit >= artifact.size)) return artifact;
  return { ...artifact, text: artifact.text.slice(offset, offset + limit) };
}
