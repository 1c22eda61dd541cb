import { untilAborted } from "../../util/until-aborted.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** Whose answer a call waits for. */
interface Awaited {
  of: string;
  tool: string;
  callID: string;
}

/**
 * Waits for the host's word about a call. It may ask a person in its own way, so it may take its time, but not past the end of
 * the turn; after `timeouts.hookMs` the log says what the turn waits for, since it may never come.
 */
export async function waitForLeave<T>(answer: Promise<T>, { of, tool, callID }: Awaited, { signal, clock, hookMs, log }: ToolEnvironment): Promise<T> {
  const timer = clock.setTimeout(() => {
    log({ level: "warn", message: `${of} has not answered within ${hookMs} ms (timeouts.hookMs) whether tool "${tool}" may run. The call waits for it until the turn is aborted.`, callID });
  }, hookMs);
  try {
    return await untilAborted(answer, signal);
  } finally {
    clock.clearTimeout(timer);
  }
}
