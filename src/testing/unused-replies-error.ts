import { ThroughlineError } from "../errors.ts";

/** A test ended, and replies of its script were never asked for. */
export class UnusedRepliesError extends ThroughlineError {
  /** Number of calls that were made. */
  readonly calls: number;
  /** Number of replies that are left. */
  readonly unused: number;

  constructor(calls: number, unused: number) {
    super(
      "unused-model-replies",
      `${unused} of ${calls + unused} scripted replies were not used: the model was called ${calls} times. ` +
        "Remove them from the script, or find out why the model was not called again.",
    );
    this.calls = calls;
    this.unused = unused;
  }
}
