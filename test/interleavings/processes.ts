import fc from "fast-check";
import { expect } from "vitest";
import { createAgent, type Agent, type AgentOptions, type Session, type SessionEvent, type Storage } from "throughline";
import { reply, scriptedModel, strictModel, type ModelRequest, type Script, type ScriptedModel, type StrictModel } from "throughline/testing";
import { CommitWitness } from "../../src/testing/crash-matrix/commit-witness.ts";
import { mortalClock } from "../../src/testing/crash-matrix/mortal-clock.ts";
import { textsIn } from "../session/session-under-test.ts";
import { Schedule, type Time } from "./schedule.ts";
import type { TestedStore } from "./stores.ts";

export const ttlMs = 2000;
const pollMs = 50;

/** A process: an agent of its own over the shared store. */
export interface Process {
  agent: Agent;
  model: ScriptedModel & StrictModel;
  events: SessionEvent[];
  /** Its storage, where each request waits for its turn. */
  storage: Storage;
  isDead(): boolean;
  /** Nothing of it goes on. */
  kill(): Promise<void>;
}

/** Several processes over one store, and who decides which goes on. */
export interface World {
  schedule: Schedule;
  /** The store itself: nothing waits there. */
  storage: Storage;
  start(name: string, options?: Partial<AgentOptions>, script?: Script): Promise<Process>;
  /** Starts one that has the session `thread` open. */
  open(name: string, options?: Partial<AgentOptions>, script?: Script): Promise<Process & { session: Session }>;
  run: Schedule["run"];
  /** The outcome of each prompt that is stored, by its id. */
  outcomes(): Promise<Record<string, string | undefined>>;
  /** How often a model was asked to answer this prompt, over all processes. */
  asked(prompt: string): number;
}

/** Answers the newest prompt, and says which that was. */
function answer(request: ModelRequest) {
  return reply.text(`Answer to ${newestPrompt(request)}`);
}

function newestPrompt(request: ModelRequest): string {
  return textsIn(request).findLast((text) => text.startsWith("user: ") && !text.startsWith("user: ["))?.slice("user: ".length) ?? "";
}

/** Runs the scenario under many schedules. Afterwards each accepted prompt must have one outcome, and nothing may be left over. */
export async function everySchedule(store: TestedStore, scenario: (world: World) => Promise<void>, time: Partial<Time> = {}): Promise<void> {
  // The engine is loaded with the first session, which takes as long as it takes: not while the order counts.
  await (await createAgent({ model: scriptedModel(answer) }).session()).prompt("Hi");
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    const schedule = new Schedule(scheduler, { stepMs: pollMs, passes: "when idle", ...time });
    const opened = await store.open(schedule.clock);
    const witness = new CommitWitness();
    const processes: Process[] = [];
    const world = worldOf(schedule, opened.connect, witness, processes);
    try {
      await scenario(world);
      await schedule.runToEnd();
      // Who was overtaken by time stopped by itself, and its lease ends with the time that it was given.
      if (time.passes === "any time") await schedule.clock.advance(ttlMs);
      await expectSound(world, witness, processes);
    } finally {
      for (const process of processes) await process.kill();
      await opened.close();
    }
  });
  await fc.assert(property, { numRuns: store.schedules, endOnFailure: true });
}

function worldOf(schedule: Schedule, connect: () => Storage, witness: CommitWitness, processes: Process[]): World {
  const storage = connect();
  const world: World = {
    schedule,
    storage,
    async start(name, options = {}, script = answer) {
      let dead = false;
      const clock = mortalClock(schedule.clock);
      const connection = connect();
      const seen = schedule.through(witness.watch(connection), name, () => dead);
      const model = strictModel(scriptedModel(script));
      const agent = createAgent({ model, clock, storage: seen, leases: { ttlMs, pollMs }, ...options });
      const events: SessionEvent[] = [];
      agent.on("*", (event) => events.push(event));
      const kill = async (): Promise<void> => {
        dead = true;
        clock.kill();
        if (connection !== storage) await connection.close();
      };
      const process: Process = { agent, model, events, storage: seen, isDead: () => dead, kill };
      processes.push(process);
      return process;
    },
    async open(name, options, script) {
      const process = await world.start(name, options, script);
      return { ...process, session: await schedule.run(process.agent.session({ id: "thread" })) };
    },
    run: (work) => schedule.run(work),
    async outcomes() {
      const { changes } = await storage.changes("thread", { after: 0 });
      return Object.fromEntries(changes.flatMap((change) => (change.type === "message" && change.message.role === "user" ? [[change.message.id, change.message.outcome?.type]] : [])));
    },
    asked: (prompt) => processes.flatMap(({ model }) => model.requests).filter((request) => newestPrompt(request) === prompt).length,
  };
  return world;
}

async function expectSound({ storage, schedule }: World, witness: CommitWitness, processes: readonly Process[]): Promise<void> {
  expect(schedule.clock.pending()).toBe(0);
  expect(witness.problems).toEqual([]);
  expect(processes.flatMap(({ model }) => model.violations)).toEqual([]);
  for (const id of witness.accepted) expect([id, witness.outcomeOf(id)]).toEqual([id, expect.any(String)]);
  for (const { id, rootID } of (await storage.listSessions()).items) {
    expect((await storage.inbox(id)).queued).toEqual([]);
    // Nobody holds what nobody works on.
    const lease = await storage.acquireLease(rootID, "nobody", 1);
    expect(lease).toBeDefined();
    if (lease !== undefined) await storage.releaseLease(lease);
  }
  // Of each turn one end was told, whoever heard it.
  const finished = processes.flatMap(({ events }) => events.flatMap((event) => (event.type === "turn.finished" ? [event.messageID] : [])));
  expect(finished).toEqual([...new Set(finished)]);
  for (const { events } of processes.filter(({ isDead }) => !isDead())) expect(events.findLast(({ type }) => type === "session.status") ?? { status: { type: "idle" } }).toMatchObject({ status: { type: "idle" } });
}
