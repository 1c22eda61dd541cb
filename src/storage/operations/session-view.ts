import type { Ask } from "../../message/ask.ts";
import type { Message, WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { AbortRequest, Artifact } from "../storage.ts";

/**
 * One session while a batch is applied to it: what the store has, under what the batch has written so far. The operations
 * know nothing else of a store, so that all stores judge alike.
 */
export interface SessionView {
  readonly id: string;
  readonly parentID: string | undefined;
  readonly rootID: string;
  readonly messages: RowView<Message>;
  readonly asks: RowView<Ask>;
  readonly artifacts: TextView<Artifact>;
  readonly aborts: AbortView;
  /** The session's row, with its current `seq`. */
  session(): SessionInfo | undefined;
  putSession(session: SessionInfo): void;
  /** The parts of a message, to be written. */
  parts(messageID: string): PartsView;
  withParts<M extends Message>(message: M): WithParts<M>;
  /** Who stands at a position of the transcript. */
  messageAt(position: number): Message | undefined;
}

/** Rows of one kind, by id. A row that was put is the store's: frozen, and never changed. */
export interface RowView<T> {
  get(id: string): T | undefined;
  put(id: string, row: T): void;
  /** Leaves a tombstone, if there is such a row. */
  delete(id: string): void;
}

/** Rows with a text that grows. */
export interface TextView<T> extends RowView<T> {
  /** Adds text from `offset` on, in place of what is there. False when the row has no text that reaches so far. */
  append(id: string, offset: number, text: string): boolean;
}

export interface PartsView extends TextView<Part> {
  deleteAll(): void;
}

export interface AbortView extends RowView<AbortRequest> {
  /** Whether there is, or was, such a request. */
  isKnown(id: string): boolean;
}
