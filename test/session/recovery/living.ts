import { createAgent, memoryStorage } from "throughline";
import type { AgentOptions, Storage } from "throughline";
import { manualClock, scriptedModel, strictModel } from "throughline/testing";
import type { ManualClock, Script } from "throughline/testing";
import { intercepted, never } from "../../adversarial/faulty-storage.ts";
import type { Process } from "./crash.ts";

export const ttlMs = 8000;
export const pollMs = 250;

/** A process that lives beside others, until it is killed. */
export interface LivingProcess extends Process {
  /** It reaches its store no more, and nobody there hears of it. */
  kill(): void;
}

/** A store with processes that live at the same time. */
export interface LivingStore {
  clock: ManualClock;
  storage: Storage;
  /** Starts a process that opens the session `thread`. */
  start(script: Script, options?: Partial<AgentOptions>): Promise<LivingProcess>;
}

export function livingStore(): LivingStore {
  const clock = manualClock(1_700_000_000_000);
  const storage = memoryStorage({ clock });
  return {
    clock,
    storage,
    async start(script, options = {}) {
      let killed = false;
      const model = strictModel(scriptedModel(script));
      const seen = intercepted(storage, (_method, next) => (killed ? never() : next()));
      const agent = createAgent({ model, clock, storage: seen, leases: { ttlMs, pollMs }, ...options });
      const session = await agent.session({ id: "thread" });
      const events: Process["events"] = [];
      session.on("*", (event) => events.push(event));
      return { agent, session, model, events, kill: () => { killed = true; } };
    },
  };
}
