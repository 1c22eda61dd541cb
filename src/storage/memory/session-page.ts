import { InvalidArgumentError } from "../../errors.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { pageLimit } from "../page-limit.ts";
import type { Page, SessionQuery } from "../storage.ts";

/** A session as a list needs it. */
export interface ListedSession {
  /** Which commit of the whole store was the newest to this session. */
  readonly changed: number;
  session(): SessionInfo | undefined;
}

/** A page of sessions, newest change first. The cursor is the change that the page ended at. */
export function sessionPage(records: Iterable<ListedSession>, query: SessionQuery): Page<SessionInfo> {
  const limit = pageLimit(query.limit, 100, "listSessions.limit");
  const before = query.cursor === undefined ? Infinity : parseCursor(query.cursor);
  const found: FoundSession[] = [];
  for (const record of records) {
    const session = record.session();
    if (session !== undefined && record.changed < before && matches(session, query)) found.push({ session, changed: record.changed });
  }
  found.sort((a, b) => b.changed - a.changed);
  const page = found.slice(0, limit);
  const items = page.map(({ session }) => session);
  const last = page.at(-1);
  return found.length > limit && last !== undefined ? { items, cursor: String(last.changed) } : { items };
}

interface FoundSession {
  session: SessionInfo;
  changed: number;
}

function matches(session: SessionInfo, { parentID, directory, projectID }: SessionQuery): boolean {
  return (
    (parentID === undefined || (session.parentID ?? null) === parentID) &&
    (directory === undefined || session.directory === directory) &&
    (projectID === undefined || session.projectID === projectID)
  );
}

function parseCursor(cursor: string): number {
  const changed = Number(cursor);
  if (!Number.isInteger(changed)) throw new InvalidArgumentError("cursor", `"${cursor}" is not a cursor of this store.`);
  return changed;
}
