import type PQueue from "p-queue";
import { LeaseLostError, SessionNotFoundError } from "../errors.ts";
import type { UserMessage, WithParts } from "../message/message.ts";
import type { Lease } from "../storage/storage.ts";
import { deferred } from "../util/deferred.ts";
import type { LoopPace } from "../util/loop-pace.ts";
import { untilAborted } from "../util/until-aborted.ts";
import { ActiveTurn } from "./active-turn.ts";
import { keepLease } from "./keep-lease.ts";
import type { LiveSession } from "./live-session.ts";
import { runLoop } from "./prompt-loop.ts";
import { StepRunner } from "./step-runner.ts";
import { titleOf } from "./title-of.ts";
import type { ToolCatalog } from "./tool-catalog.ts";
import { Transcript } from "./transcript.ts";
import { userAbort } from "./user-abort.ts";

/** What all sessions of an agent share. */
export interface Shared {
  /** Where turns wait for a slot. */
  slots: PQueue;
  catalog: ToolCatalog;
  /** Spreads their steps over turns of the event loop. */
  pace: LoopPace;
}

/** What lives as long as the lease is held. */
interface Run {
  live: LiveSession;
  lease: Lease;
  transcript: Transcript;
  steps: StepRunner;
  /** Queued prompts that were read and not promoted yet, in order of admission. */
  queue: WithParts<UserMessage>[];
}

/** Works with the lease until nothing is queued, one turn at a time, then gives it back. */
export async function workOff(live: LiveSession, lease: Lease, { slots, catalog, pace }: Shared): Promise<void> {
  const { storage, clock, leases } = live.context;
  const stopKeeping = keepLease({ storage, clock, lease, ttlMs: leases.ttlMs, onLost: (error) => live.running?.controller.abort(error) });
  live.setStatus({ type: "busy" });
  let settle = (): void => undefined;
  try {
    const run = await open(live, lease, { catalog, pace });
    for (;;) {
      const next = await nextPrompt(run);
      if (next !== undefined) {
        settle();
        settle = await runTurn(run, next, slots);
      } else if (await release(run)) break;
    }
  } finally {
    stopKeeping();
    live.journal.setLease(undefined);
    live.setStatus({ type: "idle" });
    // Last: who awaits the turn finds the status idle and the rows stored.
    settle();
  }
}

async function open(live: LiveSession, lease: Lease, { catalog, pace }: Pick<Shared, "catalog" | "pace">): Promise<Run> {
  const { context, journal } = live;
  const info = await context.storage.getSession(live.info.id);
  if (info === undefined) throw new SessionNotFoundError(live.info.id);
  live.info = info;
  live.hasMail = true;
  journal.setLease(lease, info.seq);
  const transcript = live.rememberedTranscript(info.seq) ?? (await Transcript.read(context.storage, info.id, info.seq));
  const { policy, timeouts, prices, toolConcurrency, clock, ids, logger } = context;
  const steps = new StepRunner({ journal, catalog, pace, permissions: policy, timeouts, prices, concurrency: { tools: toolConcurrency }, clock, ids, logger });
  return { live, lease, transcript, steps, queue: [] };
}

/** Runs one turn to its stored outcome. Returns how to settle it. */
async function runTurn(run: Run, next: WithParts<UserMessage>, slots: PQueue): Promise<() => void> {
  const { live } = run;
  const { journal, context } = live;
  const turn = new ActiveTurn(live, run.transcript, run.steps, next.info);
  journal.turnID = turn.turnID;
  live.running = turn;
  if (live.turns.get(next.info.id)?.abortRequested === true) turn.controller.abort(userAbort());
  const leaveSlot = await enterSlot(slots, turn.signal);
  try {
    // What has not begun stays queued when the session is closed.
    if (live.closed || !(await turn.promote(next))) return () => undefined;
    journal.emit(journal.event("turn.started", { messageID: next.info.id }));
    if (live.info.title === "") live.update({ title: titleOf(next) });
    const ending = await runLoop(turn, () => promoteSteered(run, turn));
    context.logger?.({ level: "debug", message: "A turn ended.", sessionID: live.info.id, turnID: turn.turnID, outcome: ending.type });
    return await turn.finish(ending);
  } catch (error) {
    // Tools that still run must not go on for a session that cannot store their results.
    turn.controller.abort(error);
    throw error;
  } finally {
    leaveSlot();
    live.running = undefined;
    turn.close();
    journal.turnID = undefined;
  }
}

/**
 * Waits for a slot. A turn that is aborted meanwhile goes on at once: it makes no model call, so it needs none. Returns
 * the way to leave.
 */
async function enterSlot(slots: PQueue, signal: AbortSignal): Promise<() => void> {
  const entered = deferred<undefined>();
  const left = deferred<undefined>();
  void slots.add(() => {
    entered.resolve(undefined);
    return left.promise;
  });
  await untilAborted(entered.promise, signal).catch(() => undefined);
  return () => {
    left.resolve(undefined);
  };
}

async function nextPrompt(run: Run): Promise<WithParts<UserMessage> | undefined> {
  await readInbox(run);
  return run.live.closed ? undefined : run.queue.shift();
}

/** A promise only where something waits: each step asks. */
function promoteSteered(run: Run, turn: ActiveTurn): Promise<void> | undefined {
  return run.live.hasMail || run.queue.length > 0 ? promoteWaiting(run, turn) : undefined;
}

async function promoteWaiting(run: Run, turn: ActiveTurn): Promise<void> {
  await readInbox(run);
  const isAborted = (prompt: WithParts<UserMessage>): boolean => run.live.turns.get(prompt.info.id)?.abortRequested === true;
  // One that is to be aborted gets a turn of its own: this one must not end with it.
  const joins = (prompt: WithParts<UserMessage>): boolean => prompt.info.delivery === "steer" && turn.canTake(prompt.info) && !isAborted(prompt);
  const joining = run.queue.filter(joins);
  for (const prompt of joining) {
    // From here on they are one turn, and an abort that came meanwhile is for both.
    if ((await turn.promote(prompt)) && isAborted(prompt)) turn.controller.abort(userAbort());
  }
  run.queue = run.queue.filter((prompt) => !joining.includes(prompt));
}

async function readInbox(run: Run): Promise<void> {
  const { live } = run;
  if (!live.hasMail) return;
  live.hasMail = false;
  // A write of our own that is still under way would make the inbox look changed by somebody else.
  await live.journal.flush();
  const inbox = await live.context.storage.inbox(live.info.id);
  live.journal.advance(inbox.seq);
  run.queue = inbox.queued;
}

/** Gives the lease back. False when something came in that was not seen yet. */
async function release({ live, lease, transcript }: Run): Promise<boolean> {
  const { storage, owner, leases } = live.context;
  await live.journal.flush();
  transcript.seq = live.journal.seq;
  live.remember(transcript);
  if (await storage.releaseLease(lease, { ifSeq: live.journal.seq })) return true;
  const renewed = await storage.acquireLease(lease.rootID, owner, leases.ttlMs);
  if (renewed?.fence !== lease.fence) throw new LeaseLostError(lease.rootID);
  live.hasMail = true;
  return live.closed;
}
