import type { Message } from "../../message/message.ts";
import type { Batch, Lease } from "../storage.ts";
import type { SessionHead } from "./batch-target.ts";

/** A message's row. */
export interface KnownMessage {
  key: number;
  /** Absent in a damaged row: it counts as absent, and the next put writes over it. */
  message: Message | undefined;
}

/**
 * What a commit has seen of its session. It holds as long as the session's `seq` stays: whoever writes to a session
 * raises that.
 */
export interface KnownSession {
  session: SessionHead;
  /** The messages that the commit looked at; `undefined` for an id that has no row. */
  messages: Map<string, KnownMessage | undefined>;
  /** No message stands behind this position. Absent when nobody asked. */
  lastPosition: number | undefined;
}

/** A commit of more messages than that leaves nothing behind. */
const mostMessages = 16;

/**
 * Remembers the newest commit under each lease, so that the next one need not read the rows again that it has written
 * itself. The lease's object is the key: what is known goes with it, when its owner gives it back.
 */
export class KnownSessions {
  readonly #byLease = new WeakMap<Lease, KnownSession>();

  /** What was known of the session. Somebody may have written to it since. */
  find({ lease, sessionID }: Batch): KnownSession | undefined {
    const known = lease === undefined ? undefined : this.#byLease.get(lease);
    return known?.session.id === sessionID ? known : undefined;
  }

  /** A batch was committed. Not before: what is rolled back was never there. */
  keep({ lease }: Batch, known: KnownSession): void {
    if (lease !== undefined && known.messages.size <= mostMessages) this.#byLease.set(lease, known);
  }
}
