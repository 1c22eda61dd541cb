import type { WithParts } from "../../message/message.ts";
import type { Change, ChangePage, Storage } from "../../storage/storage.ts";
import { sessionID } from "./rows.ts";

/** All that the queries tell about a session. */
export async function readEverything(storage: Storage, id = sessionID): Promise<unknown> {
  const session = await storage.getSession(id);
  if (session === undefined) return undefined;
  return {
    session,
    messages: await readTranscript(storage, id),
    inbox: await storage.inbox(id),
    asks: (await storage.listAsks({ rootID: session.rootID })).filter((ask) => ask.sessionID === id),
    changes: await readChanges(storage, 0, id),
  };
}

/** The whole transcript, newest first, page by page. */
export async function readTranscript(storage: Storage, id = sessionID, limit = 2): Promise<WithParts[]> {
  const messages: WithParts[] = [];
  let before: string | undefined;
  do {
    const page = await storage.listMessages(id, { before, limit });
    messages.push(...page.items);
    before = page.cursor;
  } while (before !== undefined);
  return messages;
}

export async function readTranscriptIDs(storage: Storage, id = sessionID): Promise<string[]> {
  return (await readTranscript(storage, id)).map(({ info }) => info.id);
}

/** The change feed from `after` to its end, in one page. */
export async function readChanges(storage: Storage, after: number, id = sessionID): Promise<ChangePage> {
  return storage.changes(id, { after, limit: 10_000 });
}

/**
 * What each stamp of a feed is about, as `<seq>: <change>, …`, for assertions on its order. The changes of one stamp are
 * sorted: their order is no part of the contract.
 */
export function changesByStamp(changes: readonly Change[]): string[] {
  const stamps: { seq: number; names: string[] }[] = [];
  for (const change of changes) {
    const last = stamps.at(-1);
    if (last?.seq === change.seq) last.names.push(changeName(change));
    else stamps.push({ seq: change.seq, names: [changeName(change)] });
  }
  return stamps.map(({ seq, names }) => `${seq}: ${names.toSorted().join(", ")}`);
}

/** What a change is about. */
export function changeName(change: Change): string {
  switch (change.type) {
    case "session":
      return `session ${change.session.id}`;
    case "message":
      return `message ${change.message.id}`;
    case "part":
      return `part ${change.part.id}`;
    case "ask":
      return `ask ${change.ask.id}`;
    case "session.deleted":
      return `session.deleted ${change.sessionID}`;
    case "message.deleted":
      return `message.deleted ${change.messageID}`;
    case "part.deleted":
      return `part.deleted ${change.partID}`;
    case "ask.deleted":
      return `ask.deleted ${change.askID}`;
  }
}
