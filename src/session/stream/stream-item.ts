import type { SessionEvent } from "../events.ts";

/**
 * The reader must drop what it knows of the session: the whole present state follows. Either the cursor is unknown (of
 * another session or store, or from before the session was created anew), or the reader was away for so long that
 * nobody knows any more what was deleted meanwhile.
 */
export interface SessionReset {
  type: "session.reset";
  sessionID: string;
  rootID: string;
  /** The session's `seq` that the state is of. */
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
  turnID?: undefined;
}

/**
 * What `session.events()` yields: events, to switch on by `type`, and among them word that the state begins anew. Pass
 * the `cursor` of the last one that you have dealt with as `after`, to go on behind it. It is opaque, and stays valid
 * over restarts.
 */
export type StreamItem = (SessionEvent | SessionReset) & { cursor: string };

/** Options of `session.events()`. */
export interface StreamOptions {
  /**
   * Begins with the state of all that changed after this cursor, or after this `seq`; 0 stands for everything. Default:
   * what happens from now on.
   */
  after?: string | number | undefined;
  /** Ends the iteration, without an error. */
  abortSignal?: AbortSignal | undefined;
}
