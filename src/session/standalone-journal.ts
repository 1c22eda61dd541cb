import type { Clock } from "../util/clock.ts";
import { defaultTimeouts } from "./defaults.ts";
import type { SessionEvent } from "./events.ts";
import { Journal } from "./journal.ts";
import type { ProcessInput } from "./process-input.ts";

/** A writer that stores nothing, for a processor that runs without a session: it keeps events in their order. */
export function standaloneJournal({ session, user }: ProcessInput, clock: Clock, publish: (event: SessionEvent) => void = () => undefined): Journal {
  let seq = 0;
  const journal = new Journal({
    storage: { commit: () => Promise.resolve({ seq: ++seq }) },
    clock,
    sessionID: session.id,
    rootID: session.rootID,
    seq,
    storageMs: defaultTimeouts.storageMs,
    publish,
    onForeignWrite: () => undefined,
  });
  journal.setLease({ rootID: session.rootID, owner: "processor", fence: 0, seq, expires: Number.POSITIVE_INFINITY });
  journal.turnID = user.traceID ?? user.id;
  return journal;
}
