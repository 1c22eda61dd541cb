import { createAgent, memoryStorage, type Ask, type AskReply, type Clock, type Session, type SessionEvent, type Storage, type Turn } from "throughline";
import { manualClock, strictModel, type ManualClock, type StrictModel } from "throughline/testing";
import { anyModel } from "./any-model.ts";
import { anySchema } from "./any-schema.ts";
import { anyTools } from "./any-tools.ts";
import { callsPerCompaction, callsPerTurn } from "./call-bound.ts";
import type { Deed, Moment, PlannedPrompt, Scenario } from "./scenario.ts";

export const abortGraceMs = 12;

/** How a prompt was sent, and what its turn came to. */
export interface SentPrompt {
  turn: Turn;
  controller: AbortController;
  /** How often it settled. */
  settled: number;
}

/** A scenario while it runs, and what was seen of it. */
export class RunningScenario {
  readonly clock: ManualClock = manualClock(1_700_000_000_000);
  readonly storage: Storage = memoryStorage({ clock: this.clock });
  readonly events: SessionEvent[] = [];
  readonly prompts: SentPrompt[] = [];
  readonly models: StrictModel[];
  /** Timers that models and tools have set. */
  foreignTimers = 0;
  calls = 0;
  maxCalls = 0;
  /** How long aborts took, in milliseconds of the clock. */
  readonly abortsMs: number[] = [];
  /** Calls that were made when the whole session was aborted for the first time. */
  callsAtAbort: number | undefined;
  readonly faults: string[] = [];
  readonly #scenario: Scenario;
  readonly #counts: Record<Moment["at"], number> = { event: 0, call: 0, tool: 0 };
  readonly #plan: { when: Moment; act: () => void }[] = [];
  #open = 0;
  #replies = 0;
  #session: Session | undefined;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    const onCall = (): void => {
      this.calls += 1;
      this.#reach("call");
    };
    this.models = scenario.models.map((script, index) => strictModel(anyModel(script, `model-${index}`, { clock: this.#foreignClock(), onCall })));
    for (const prompt of scenario.others) this.#plan.push({ when: prompt.when, act: () => { this.#send(prompt, prompt.delivery); } });
    for (const { when, what, prompt } of scenario.deeds) this.#plan.push({ when, act: () => { this.#do(what, prompt); } });
  }

  get session(): Session {
    if (this.#session === undefined) throw new Error("The session is made by run().");
    return this.#session;
  }

  /** Runs it until every prompt has its outcome. Throws when that does not happen. */
  async run(): Promise<void> {
    const { maxSteps, maxAttempts, budget, limits, compaction, parallelTools, asks } = this.#scenario;
    const [model, ...fallbackModels] = this.models;
    if (model === undefined) return;
    let ids = 0;
    const said = JSON.stringify(this.#scenario.models);
    const agent = createAgent({
      model: model as StrictModel & Parameters<typeof strictModel>[0],
      fallbackModels: fallbackModels as (StrictModel & Parameters<typeof strictModel>[0])[],
      clock: this.clock,
      storage: this.storage,
      ids: (prefix) => `${prefix}_${(ids += 1)}`,
      tools: anyTools(this.#foreignClock(), (name) => said.includes(`"${name}"`)),
      maxSteps,
      budget,
      contextLimits: limits,
      compaction,
      asks,
      retry: { maxAttempts, baseDelayMs: 8, maxDelayMs: 40 },
      timeouts: { firstChunkMs: 40, idleMs: 40, modelMs: 90, toolMs: 60, hookMs: 70, abortGraceMs },
      concurrency: { tools: parallelTools },
    });
    this.#session = await agent.session();
    this.#session.on("*", (event) => {
      this.events.push(event);
      if (event.type === "ask.created") this.#reply(event.ask);
      if (event.type === "tool.started") this.#reach("tool");
      this.#reach("event");
    });
    this.#send(this.#scenario.first, "queue");
    await this.#drive();
  }

  /** Lets time pass when nothing else is left to do, and goes on with what was left waiting for a person. */
  async #drive(): Promise<void> {
    for (let rounds = 1; ; rounds += 1) {
      // What waits behind a turn that was left waiting looks again and again whether that has changed.
      await (this.#scenario.asks.mode === "hold" ? this.clock.runAll() : this.clock.advance(200));
      if (this.#open === 0 && !(await this.#isOwed())) return;
      if (rounds % 3 === 0 && this.#scenario.asks.mode === "release") await this.#resume();
      if (rounds > 400) throw new Error(`It hangs: ${this.#open} prompts or deeds have not ended.`);
    }
  }

  async #resume(): Promise<void> {
    for (const { id } of await this.session.asks()) this.#watch(this.session.reply(id, { decision: "once" }));
    this.#watch(this.session.resume().settled);
  }

  /** Whether a turn was left waiting. Where calls wait in place none is. */
  async #isOwed(): Promise<boolean> {
    if (this.#scenario.asks.mode === "hold") return false;
    const stored = [...(await this.session.messages()), ...(await this.session.queue())];
    return stored.some(({ info }) => info.role === "user" && info.outcome === undefined && this.prompts.some(({ turn }) => turn.messageID === info.id));
  }

  #foreignClock(): Clock {
    const { clock } = this;
    return {
      now: () => clock.now(),
      clearTimeout: (handle) => { clock.clearTimeout(handle); },
      setTimeout: (run, ms) => {
        this.foreignTimers += 1;
        return clock.setTimeout(() => {
          this.foreignTimers -= 1;
          run();
        }, ms);
      },
    };
  }

  #reach(at: Moment["at"]): void {
    const count = (this.#counts[at] += 1);
    for (const { when, act } of this.#plan) if (when.at === at && when.count === count) act();
  }

  #send({ wants, retryCount, maxSteps }: Omit<PlannedPrompt, "when" | "delivery">, delivery: PlannedPrompt["delivery"]): void {
    const controller = new AbortController();
    const turn = this.session.prompt("Do it.", { delivery, maxSteps, abortSignal: controller.signal, ...(wants !== "text" && { format: { type: "json_schema", schema: anySchema(wants, this.#foreignClock()), retryCount } }) });
    const sent: SentPrompt = { turn, controller, settled: 0 };
    this.prompts.push(sent);
    this.maxCalls += callsPerTurn(this.#scenario, maxSteps ?? this.#scenario.maxSteps);
    this.#watch(turn.settled.then(() => (sent.settled += 1)));
  }

  #do(what: Deed, index: number): void {
    const prompt = this.prompts[index];
    const startMs = this.clock.monotonic();
    const isAborted = (): void => {
      this.abortsMs.push(this.clock.monotonic() - startMs);
    };
    if (what === "compact") {
      this.maxCalls += callsPerCompaction(this.#scenario);
      this.#watch(this.session.compact());
    } else if (what === "abort" || what === "abort and cancel") {
      this.callsAtAbort ??= this.calls;
      this.#watch(this.session.abort({ queue: what === "abort" ? "keep" : "cancel" }).then(isAborted));
    } else if (prompt === undefined) return;
    else if (what === "abort turn") this.#watch(prompt.turn.abort().then(isAborted));
    else if (what === "abort signal") prompt.controller.abort();
    else this.#watch(this.session.cancel(prompt.turn.messageID));
  }

  #reply(ask: Ask): void {
    const { replies } = this.#scenario;
    const decision = replies[this.#replies % replies.length] ?? "once";
    this.#replies += 1;
    if (decision === "none") return;
    const reply: AskReply = decision === "reject with words" ? { decision: "reject", message: "Not so." } : decision === "answer" ? { decision, answers: ["yes"] } : { decision };
    this.#watch(this.session.reply(ask.id, reply));
  }

  /** Counts what is to end; that it fails is no matter here. */
  #watch(work: Promise<unknown>): void {
    this.#open += 1;
    void this.#settleOf(work).then(() => (this.#open -= 1));
  }

  async #settleOf(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch {
      // A reply that comes too late, a compaction of nothing, a prompt that does not wait any more.
    }
  }
}
