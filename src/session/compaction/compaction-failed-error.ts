import { ThroughlineError } from "../../errors.ts";
import type { MessageError } from "../../message/message-error.ts";

/** A compaction that was asked for did not come about. The session is as it was. */
export class CompactionFailedError extends ThroughlineError {
  /** Why: the failure of the summary call, or `empty` for a summary that is of no use. */
  readonly error: MessageError;

  constructor(error: MessageError) {
    super("compaction-failed", `The history was not compacted: ${error.message}`);
    this.error = error;
  }
}
