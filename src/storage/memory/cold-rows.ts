import type { Ask } from "../../message/ask.ts";
import type { Message } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { AbortRequest, Artifact } from "../storage.ts";
import type { Entry } from "./table.ts";
import type { PlacedMessage } from "./transcript.ts";

/** Rows of a session that stay where they are kept until somebody asks for them. */
export interface ColdRows {
  /** None of them was written after this `seq`. */
  readonly seq: number;
  /** The cold messages, all of them promoted. */
  places(): PlacedMessage[];
  message(messageID: string): MessageRows | undefined;
  artifact(artifactID: string): Entry<Artifact> | undefined;
}

/** A message with its parts, and the tombstones among them. */
export interface MessageRows {
  entry: Entry<Message>;
  /** Where it stood, when it is gone. */
  place?: number | undefined;
  /** In order of creation. */
  parts: Entry<Part>[];
}

/** A session's rows and tombstones as they were at some time; each list in order of creation. */
export interface RestoredRows {
  session?: Entry<SessionInfo> | undefined;
  messages: MessageRows[];
  asks: Entry<Ask>[];
  aborts: Entry<AbortRequest>[];
  artifacts: Entry<Artifact>[];
  /** Up to which stamp tombstones may be missing. */
  floor: number;
  cold?: ColdRows | undefined;
}
