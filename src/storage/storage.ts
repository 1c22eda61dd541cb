import type { Ask, AskReply } from "../message/ask.ts";
import type { Message, UserMessage, WithParts } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { SessionInfo } from "../message/session-info.ts";
import type { Damage } from "./damage.ts";

export type { Damage } from "./damage.ts";

/**
 * Where sessions live. Write an adapter by implementing this interface, and check it with `storageConformance` of
 * `throughline/testing`: correct means that the suite passes.
 *
 * What every adapter promises:
 * - **Atomic**: a batch is written whole or not at all. A rejected `commit` may still have been written (a connection
 *   can drop after the commit), so the caller may repeat any batch.
 * - **Repeatable**: repeating the last batch never changes a row. Putting a row again, appending the same text at the same
 *   offset, deleting what is gone, promoting a message to the position it has already and requesting an abort again are
 *   accepted; a guarded operation is refused with the row that it wrote itself, which tells the caller that the first
 *   try was applied.
 * - **Isolated**: rows that go in and come out are never shared with the caller. Later changes to an object have no
 *   effect on the store.
 * - **Ordered**: each commit raises the session's `seq` by one and stamps the rows it touched with it. Order is `seq` and
 *   `position`; ids and clocks are never compared. No two messages of a session have the same `position`, and none ever
 *   gets another one.
 * - **Fenced**: a batch with a lease is refused with `LeaseLostError` unless that lease is the newest of the session's tree.
 *   Fences only grow, also over the deletion of a session. A lease that has expired, by the store's clock, can be taken by
 *   anybody; until somebody does it is still the newest, and writes (the owner stops by itself before that).
 * - **Guarded**: without a lease only the operations of {@link GuardedOperation} are allowed; a failed guard refuses the
 *   whole batch with a `ConflictError` that carries the existing row.
 * - **Whole**: a part belongs to a message of its session, and an append continues a text: what would hang in the air (no
 *   such message, part or artifact, an offset past the end) is a `ConflictError`.
 * - **Tombstones**: a deleted session cannot be written to by a late owner. It can be created again; its `seq` and fence
 *   go on from where they were.
 *
 * Message ids are unique within a session, part ids within a message.
 */
export interface Storage {
  /**
   * Writes a batch. Its operations are judged and applied in order, each on what the ones before it made.
   *
   * @returns the session's new `seq`. When it is not the previous one plus one, somebody else has written in between.
   * @throws {LeaseLostError} the batch has a lease that is not in force
   * @throws {ConflictError} a guard failed, or a row does not fit the ones that are there
   * @throws {SessionNotFoundError} the session (or the parent of a new one) does not exist, or was deleted
   * @throws {InvalidArgumentError} the batch contradicts itself, or needs a lease and has none
   */
  commit(batch: Batch): Promise<{ seq: number }>;
  /** The session's row, with its current `seq`; `undefined` when there is none. */
  getSession(sessionID: string): Promise<SessionInfo | undefined>;
  /**
   * The session with the newest commit first. One that changes while somebody pages moves to the front: no page repeats
   * it, and a later page may lack it.
   */
  listSessions(query?: SessionQuery): Promise<Page<SessionInfo>>;
  /**
   * Promoted messages only, newest first, by position, each with its parts in order of creation. `before` is a message's
   * id: only what stands before it, also when it was deleted meanwhile (as long as its tombstone is kept). The page's
   * `cursor` is the next `before`. Default limit 50.
   *
   * @throws {SessionNotFoundError}
   * @throws {InvalidArgumentError} `before` was never promoted
   */
  listMessages(sessionID: string, page?: { before?: string | undefined; limit?: number | undefined }): Promise<Page<WithParts>>;
  /**
   * What waits for the owner.
   *
   * @throws {SessionNotFoundError}
   */
  inbox(sessionID: string): Promise<Inbox>;
  /** Asks of one tree or of all, in order of creation within each session. */
  listAsks(query?: { rootID?: string | undefined; status?: Ask["status"] | undefined }): Promise<Ask[]>;
  /**
   * What changed after `after`: the rows as they are now, each once, in order of their newest stamp; and a tombstone for
   * each that is gone (for a deleted session only its own). Artifacts and abort requests are not among them. `after: 0`
   * gives everything. `limit` (default 500) is a wish: a page never ends within one commit's changes.
   *
   * `reset` means that `after` is unknown here (older than the tombstones kept, or from another history), and comes
   * without changes: read everything anew.
   *
   * @throws {SessionNotFoundError} there never was such a session
   */
  changes(sessionID: string, query: { after: number; limit?: number | undefined }): Promise<ChangePage>;
  /** A stored artifact's text from `offset`, at most `limit` long, both in UTF-16 code units; the whole without a range. */
  getArtifact(
    sessionID: string,
    artifactID: string,
    range?: { offset?: number | undefined; limit?: number | undefined },
  ): Promise<Artifact | undefined>;
  /**
   * Takes, or renews, the lease on a session tree.
   *
   * @returns the lease, or `undefined` while another owner holds it. The same owner gets its own lease again, with the
   * same fence and a later end, as long as nobody else took it in between; anybody else gets a higher fence, and so does
   * the same owner after it gave the lease back.
   * @throws {SessionNotFoundError} there is no such root session
   */
  acquireLease(rootID: string, owner: string, ttlMs: number): Promise<Lease | undefined>;
  /**
   * Gives the lease back.
   *
   * @returns false, and the lease stays, when `ifSeq` is given and is no longer the root session's `seq`: something came
   * in that the owner has not seen. False also when the lease is not in force any more.
   */
  releaseLease(lease: Lease, condition?: { ifSeq?: number | undefined }): Promise<boolean>;
  /**
   * Calls the listener after each commit to the session, by anybody. Resolves with the way to stop. The call is only a
   * hint to read, so what the listener throws is dropped: the commit was written. Optional: without it the engine polls.
   */
  watch?(sessionID: string, listener: () => void): Promise<() => void>;
  /**
   * Calls the listener for each damaged record that is met from now on; the record itself is set aside, as if it was not
   * there. Returns the way to stop. Optional: for stores that can find damage.
   */
  onDamage?(listener: (damage: Damage) => void): () => void;
  /** Ends the use of the store. Afterwards every call but this one rejects with `StorageError`. */
  close(): Promise<void>;
}

/** Writes to one session, all or nothing. A batch does not put a row that it has deleted before. */
export interface Batch {
  sessionID: string;
  /** The lease on the session's tree. Without one only guarded operations are allowed. */
  lease?: Lease | undefined;
  operations: readonly Operation[];
}

export type Operation = OwnerOperation | GuardedOperation;

/** The operation of one type, e.g. `OperationOf<"part.append">`. */
export type OperationOf<Type extends Operation["type"]> = Extract<Operation, { type: Type }>;

/** What only the owner of the lease may do. Puts replace the whole row, in its place. */
export type OwnerOperation =
  /** The given `seq` is ignored: the store counts. A session's `rootID` and `parentID` never change. */
  | { type: "session.put"; session: SessionInfo }
  /**
   * Takes all children, messages, parts, asks and artifacts along, leaves a tombstone, and ends a root's lease. Stands
   * alone in its batch. On a session that was deleted already it changes nothing and needs no lease.
   */
  | { type: "session.delete" }
  | { type: "message.put"; message: Message }
  /** Takes its parts along. */
  | { type: "message.delete"; messageID: string }
  /** Guarded: the message is still queued. It gets its place in the transcript, and loses `state`. */
  | { type: "message.promote"; messageID: string; position: number }
  | { type: "part.put"; part: Part }
  | { type: "part.delete"; messageID: string; partID: string }
  /** Adds text to a string field, from `offset` (in UTF-16 code units) on; what is there from `offset` on is replaced. */
  | { type: "part.append"; messageID: string; partID: string; field: "text"; offset: number; text: string }
  | { type: "ask.put"; ask: Ask }
  | { type: "ask.delete"; askID: string }
  /** The given `size` is ignored: the store counts. */
  | { type: "artifact.put"; artifact: Artifact }
  | { type: "artifact.append"; artifactID: string; offset: number; text: string }
  | { type: "artifact.delete"; artifactID: string }
  /** The abort was carried out. */
  | { type: "abort.clear"; abortID: string };

/** What anybody may do, at any time: each has a guard. */
export type GuardedOperation =
  /** No such session exists, but the parent of a child does. The first operation of its batch. */
  | { type: "session.create"; session: SessionInfo }
  /** No such message exists. The conflict carries the existing one as `WithParts`. */
  | { type: "prompt.admit"; message: UserMessage; parts: readonly Part[] }
  /** The prompt is still queued. It becomes `cancelled`, with the outcome `cancelled`. */
  | { type: "prompt.cancel"; messageID: string; time: number }
  /** The ask is still open. It becomes `replied`. */
  | { type: "ask.reply"; askID: string; reply: AskReply; time: number }
  /** No such abort was ever requested: else nothing happens, so that a repeated request never ends a second turn. */
  | { type: "abort.request"; abort: AbortRequest };

/** Somebody wants the running turn to end. */
export interface AbortRequest {
  id: string;
  /** Only this prompt's turn; whichever runs when absent. */
  messageID?: string | undefined;
  /** What becomes of the queued prompts. */
  queue: "keep" | "cancel";
  time: number;
}

/** What waits for the owner of a session. */
export interface Inbox {
  /** The session's `seq` at the time of reading. */
  seq: number;
  /** Queued prompts, in order of admission. */
  queued: WithParts<UserMessage>[];
  /** Open asks, and replied ones until the owner closes or deletes them; in order of creation. */
  asks: Ask[];
  /** In order of request, until the owner clears them. */
  aborts: AbortRequest[];
}

/** A text too large for its part: a full tool output, or a large medium as base64. */
export interface Artifact {
  id: string;
  sessionID: string;
  /** The message that it was made for. It outlives it. */
  messageID?: string | undefined;
  mime: string;
  text: string;
  /** Length of the whole text, in UTF-16 code units, also when `text` is only a range of it. */
  size: number;
  time: { created: number };
}

/** The right to write a session tree. */
export interface Lease {
  rootID: string;
  owner: string;
  /** Grows with every new owner. */
  fence: number;
  /** The root session's `seq` when the lease was taken. */
  seq: number;
  /** Milliseconds since the epoch, by the store's clock. */
  expires: number;
}

export interface SessionQuery {
  /** Children of this session; `null` for roots only. */
  parentID?: string | null | undefined;
  directory?: string | undefined;
  projectID?: string | undefined;
  cursor?: string | undefined;
  /** Default 100. */
  limit?: number | undefined;
}

export interface Page<T> {
  items: T[];
  /** Pass it to get what follows. Absent on the last page. */
  cursor?: string | undefined;
}

export type Change =
  | { seq: number; type: "session"; session: SessionInfo }
  | { seq: number; type: "message"; message: Message }
  /** Parts of a message stand in order of `position`: of their creation. It has gaps, and never changes. */
  | { seq: number; type: "part"; part: Part; position: number }
  | { seq: number; type: "ask"; ask: Ask }
  | { seq: number; type: "session.deleted"; sessionID: string }
  | { seq: number; type: "message.deleted"; messageID: string }
  | { seq: number; type: "part.deleted"; messageID: string; partID: string }
  | { seq: number; type: "ask.deleted"; askID: string };

export interface ChangePage {
  changes: Change[];
  /** The session's `seq` that these changes lead to: the next `after`. */
  seq: number;
  /** More changes wait behind these. */
  more: boolean;
  reset?: boolean | undefined;
}
