import { createAgent, memoryStorage } from "throughline";
import type { Agent, AgentOptions, Batch, Operation, Session, SessionEvent, Storage } from "throughline";
import { manualClock, scriptedModel, strictModel } from "throughline/testing";
import type { ManualClock, Script, ScriptedModel, StrictModel } from "throughline/testing";
import { intercepted, never } from "../../adversarial/faulty-storage.ts";

/** Longer than a lease lives. */
const leaseMs = 31_000;

/** A process: an agent with its own model, over a store that outlives it. */
export interface Process {
  agent: Agent;
  session: Session;
  model: ScriptedModel & StrictModel;
  events: SessionEvent[];
}

/** A store that several processes share; each can be cut off from it, as a dead process is. */
export interface SharedStore {
  clock: ManualClock;
  storage: Storage;
  /** Starts a process that opens the session `thread`. */
  start(script: Script, options?: Partial<AgentOptions>): Promise<Process>;
  /** The newest process writes and reads no more, and its lease is over. */
  crash(): Promise<void>;
}

/** A commit: the n-th, or the first that matches. */
export type Moment = number | ((batch: Batch) => boolean);

/**
 * @param crashAt says before or after which commit the first process ends, or which operations are missing from its last; by default it goes on until `crash()`
 */
export function sharedStore(crashAt: { after?: Moment; before?: Moment; without?: (operation: Operation) => boolean } = {}): SharedStore {
  const clock = manualClock(1_700_000_000_000);
  const storage = memoryStorage({ clock });
  let generation = 0;
  const isMoment = (moment: Moment | undefined, commits: number, batch: Batch): boolean => (typeof moment === "function" ? moment(batch) : commits === moment);
  const seenBy = (own: number): Storage => {
    let commits = 0;
    return intercepted(storage, async (method, next, _count, given) => {
      if (own !== generation) return never();
      if (method !== "commit") return next();
      commits += 1;
      const batch = given[0] as Batch; // The port says so.
      if (own === 1 && isMoment(crashAt.before, commits, batch)) {
        generation = -1;
        return never();
      }
      const { without } = crashAt;
      if (own === 1 && without !== undefined && batch.operations.some(without)) {
        generation = -1;
        await storage.commit({ ...batch, operations: batch.operations.filter((operation) => !without(operation)) });
        return never();
      }
      const answer = await next();
      if (own !== 1 || !isMoment(crashAt.after, commits, batch)) return answer;
      generation = -1;
      return never();
    });
  };
  let last = 0;
  return {
    clock,
    storage,
    async start(script, options = {}) {
      generation = last += 1;
      const model = strictModel(scriptedModel(script));
      const agent = createAgent({ model, clock, storage: seenBy(generation), ...options });
      const session = await agent.session({ id: "thread" });
      const events: SessionEvent[] = [];
      session.on("*", (event) => events.push(event));
      return { agent, session, model, events };
    },
    async crash() {
      generation = -1;
      await clock.advance(leaseMs);
    },
  };
}
