import type { Outcome, UserMessage } from "../../message/message.ts";
import type { OwnerOperation } from "../../storage/storage.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { SessionEvent } from "../events.ts";
import type { LiveSession } from "../live-session.ts";
import type { TurnResult } from "./turn-result.ts";

/** How a turn ended, before it is stored. */
export type Ending = Pick<Outcome, "type" | "error">;

/** What goes into one commit. */
export interface Writing {
  operations: OwnerOperation[];
  events: SessionEvent[];
}

/** A turn that ends. */
export interface EndingTurn {
  readonly turnID: string;
  /** Its prompt, and those that joined it. */
  readonly prompts: readonly UserMessage[];
  /** Requests to abort it, which are carried out. */
  readonly abortIDs: ReadonlySet<string>;
}

/** How to write the outcome of every prompt of a turn. */
export function outcomeOf(turn: EndingTurn, ending: Ending, { tokens: used, cost }: TurnResult, live: Pick<LiveSession, "journal" | "context">): Writing {
  const { journal, context } = live;
  const operations: OwnerOperation[] = [...turn.abortIDs].map((abortID) => ({ type: "abort.clear", abortID }));
  const events: SessionEvent[] = ending.type === "error" && ending.error !== undefined ? [journal.event("session.error", { error: ending.error })] : [];
  // The prompt that began the turn comes last: its event ends the turn.
  for (const prompt of [...turn.prompts].reverse()) {
    const message: UserMessage = { ...prompt, outcome: { ...ending, time: context.clock.now() } };
    operations.push({ type: "message.put", message });
    events.push(journal.event("message.updated", { message }, turn.turnID));
    // The result is the caller's, the event everybody's.
    const tokens = deepFreeze({ ...used });
    events.push(journal.event("turn.finished", { messageID: message.id, outcome: ending.type, tokens, cost }, message.traceID ?? message.id));
  }
  return { operations, events };
}
