import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { Operation } from "../storage.ts";

/**
 * What a line of a session's file says. The first line is a header; a file that was rewritten goes on with rows and an
 * index, a snapshot of the session; then comes a line for each commit.
 */
export type LogLine = HeaderLine | RowLine | IndexLine | CommitLine;

/** Whose file it is. A deleted session's file consists of such lines alone. */
export interface HeaderLine {
  /** Version of the format. */
  log: 1;
  id: string;
  parentID?: string | undefined;
  rootID: string;
  /** The file of rows that are not in this one. */
  archive?: string | undefined;
  deleted?: boolean | undefined;
}

export interface CommitLine {
  commit: readonly Operation[];
  /** Of the lease that it was written with: a lost lease file must not make fences repeat. */
  fence?: number | undefined;
}

/** A row or tombstone in a snapshot, or in an archive. */
export interface RowLine {
  row: "session" | "message" | "ask" | "abort" | "artifact";
  key: string;
  /** Its newest stamp. */
  seq: number;
  /** Its place in order of creation. */
  at: number;
  /** `null` in a tombstone. */
  value: unknown;
  /** Where a message stood that is gone. */
  place?: number | undefined;
  /** Of a message. */
  parts?: PartCell[] | undefined;
}

/** Key, stamp, place in order of creation, and the row: `null` in a tombstone. */
export type PartCell = [key: string, seq: number, at: number, row: Part | null];

/** The end of a snapshot. */
export interface IndexLine {
  index: {
    /** Up to which stamp tombstones may be missing. */
    floor: number;
    /** The highest one of a lease that the session was written with. */
    fence: number;
    messages: ArchivedMessage[];
    artifacts: ArchivedArtifact[];
  };
}

/** A message's id, position, and where its row stands in the archive. */
export type ArchivedMessage = [id: string, position: number, start: number, length: number];

export type ArchivedArtifact = [id: string, start: number, length: number];

/** Who a session is, as far as its row needs it to be one. */
export type SessionIdentity = Pick<SessionInfo, "id" | "parentID" | "rootID">;
