import type { Storage } from "../../storage/storage.ts";
import type { Clock } from "../../util/clock.ts";
import type { SessionEvent } from "../events.ts";

/** What a journal writes to, and whom it tells. */
export interface JournalOptions {
  /** It tries again by itself what may be tried again: a commit that fails here has failed for good. */
  storage: Pick<Storage, "commit">;
  clock: Clock;
  sessionID: string;
  rootID: string;
  /** The session's `seq` as last read. */
  seq: number;
  publish(event: SessionEvent): void;
  /** Somebody else has written to the session. */
  onForeignWrite(): void;
}
