import type { Ask } from "../../message/ask.ts";
import type { Message } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { Change, ChangePage } from "../../storage/storage.ts";
import { isGrowing, type GrowingPart } from "../journal/growing-texts.ts";

/** What a reader needs to get from one `seq` to another. */
export interface StateTransfer {
  /** The `seq` that it leads to. */
  seq: number;
  /** The whole state: the reader must drop what it has. */
  reset: boolean;
  /** The session is gone. */
  deleted: boolean;
  session: SessionInfo | undefined;
  removedMessages: string[];
  removedParts: { messageID: string; partID: string }[];
  /** In order of the transcript, those that wait behind it; each before its parts. */
  rows: (Message | Part)[];
  asks: Ask[];
}

/**
 * Reads what has changed. Pages are read one after the other, and a row may be written again in between: the last word
 * counts. All of it is collected, since the feed is in order of writing, and a reader wants messages and parts in theirs.
 *
 * @param after `undefined` for the whole state
 * @param growing parts that are stored and have more text than the store: they take the place of their rows
 */
export async function readTransfer(read: (after: number) => Promise<ChangePage>, after: number | undefined, growing: readonly GrowingPart[]): Promise<StateTransfer> {
  const changes = new Map<string, Change>();
  let from = after ?? 0;
  let reset = after === undefined;
  for (let more = true; more; ) {
    const page = await read(from);
    if (page.reset === true && from > 0) {
      reset = true;
      changes.clear();
      from = 0;
    } else {
      for (const change of page.changes) changes.set(keyOf(change), change);
      ({ seq: from, more } = page);
    }
  }
  for (const part of growing) addGrowing(changes, part, from);
  return { seq: from, reset, ...sort([...changes.values()]) };
}

/** One that is final or gone by now is left as it is. */
function addGrowing(changes: Map<string, Change>, part: GrowingPart, seq: number): void {
  const key = `part ${part.messageID} ${part.id}`;
  const stored = changes.get(key);
  const isBehind = stored?.type === "part" && isGrowing(stored.part) && stored.part.text.length < part.text.length;
  // The reader may have another part of the message that is newer, but none of those that are read here.
  if (stored === undefined || isBehind) changes.set(key, { seq, type: "part", part, position: stored?.type === "part" ? stored.position : 0 });
}

function keyOf(change: Change): string {
  switch (change.type) {
    case "session":
    case "session.deleted":
      return "session";
    case "message":
      return `message ${change.message.id}`;
    case "message.deleted":
      return `message ${change.messageID}`;
    case "part":
      return `part ${change.part.messageID} ${change.part.id}`;
    case "part.deleted":
      return `part ${change.messageID} ${change.partID}`;
    case "ask":
      return `ask ${change.ask.id}`;
    case "ask.deleted":
      return `ask ${change.askID}`;
  }
}

/** A message and its parts, as far as they have changed. */
interface Group {
  message: Message | undefined;
  parts: { part: Part; position: number }[];
}

function sort(changes: readonly Change[]): Omit<StateTransfer, "seq" | "reset"> {
  const sorted: Omit<StateTransfer, "seq" | "reset"> = { deleted: false, session: undefined, removedMessages: [], removedParts: [], rows: [], asks: [] };
  const groups = new Map<string, Group>();
  for (const change of changes) {
    if (change.type === "session") sorted.session = change.session;
    else if (change.type === "session.deleted") sorted.deleted = true;
    else if (change.type === "message.deleted") sorted.removedMessages.push(change.messageID);
    else if (change.type === "part.deleted") sorted.removedParts.push(change);
    else if (change.type === "ask") sorted.asks.push(change.ask);
    else if (change.type === "message") groupOf(groups, change.message.id).message = change.message;
    else if (change.type === "part") groupOf(groups, change.part.messageID).parts.push(change);
  }
  for (const { message, parts } of [...groups.values()].sort((a, b) => placeOf(a) - placeOf(b))) {
    if (message !== undefined) sorted.rows.push(message);
    sorted.rows.push(...parts.sort((a, b) => a.position - b.position).map(({ part }) => part));
  }
  return sorted;
}

function groupOf(groups: Map<string, Group>, messageID: string): Group {
  const group = groups.get(messageID) ?? { message: undefined, parts: [] };
  groups.set(messageID, group);
  return group;
}

/** The reader knows a message that has not changed, so it stands before the others; one that waits has no place yet. */
function placeOf({ message }: Group): number {
  return message === undefined ? -1 : (message.position ?? Number.MAX_SAFE_INTEGER);
}
