import type { Clock } from "../../util/clock.ts";
import type { SessionEvent } from "../events.ts";
import { Journal } from "./journal.ts";
import type { ProcessInput } from "../step/process-input.ts";
import type { ProcessorOptions } from "../step/processor-options.ts";

/** A writer that stores nothing, for a processor that runs without a session: it keeps events in their order. */
export function standaloneJournal({ session, user }: ProcessInput, clock: Clock, options: Pick<ProcessorOptions, "onEvent" | "logger">): Journal {
  let seq = 0;
  const journal = new Journal({
    storage: { commit: () => Promise.resolve({ seq: ++seq }) },
    clock,
    sessionID: session.id,
    rootID: session.rootID,
    seq,
    publish: (event) => {
      publish(event, options);
    },
    onForeignWrite: () => undefined,
  });
  journal.setLease({ rootID: session.rootID, owner: "processor", fence: 0, seq, expires: Number.POSITIVE_INFINITY });
  journal.turnID = user.traceID ?? user.id;
  return journal;
}

/** A listener that throws hurts nobody. */
function publish(event: SessionEvent, { onEvent, logger }: Pick<ProcessorOptions, "onEvent" | "logger">): void {
  try {
    onEvent?.(event);
  } catch (error) {
    logger?.({ level: "error", message: `The onEvent option threw at "${event.type}".`, sessionID: event.sessionID, turnID: event.turnID, error });
  }
}
