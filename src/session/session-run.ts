import type PQueue from "p-queue";
import { SessionNotFoundError } from "../errors.ts";
import type { UserMessage, WithParts } from "../message/message.ts";
import type { Lease } from "../storage/storage.ts";
import { Slot } from "./slot.ts";
import type { LoopPace } from "../util/loop-pace.ts";
import { ActiveTurn } from "./turn/active-turn.ts";
import type { CompactionSettings } from "./compaction/compaction-settings.ts";
import { Compactor } from "./compaction/compactor.ts";
import { prefixCheck } from "./prefix/prefix-check.ts";
import { FullOutputs } from "./outputs/full-outputs.ts";
import { AskDesk } from "./asks/ask-desk.ts";
import type { Ending } from "./turn/turn-outcome.ts";
import type { LiveSession } from "./live-session.ts";
import { StepRunner } from "./step/step-runner.ts";
import type { LockTable } from "./calls/lock-table.ts";
import type { ToolCatalog } from "./calls/tool-catalog.ts";
import { Transcript } from "./transcript.ts";
import { userAbort } from "./abort/user-abort.ts";

/** What all sessions of an agent share. */
export interface Shared {
  /** Where turns wait for a slot. */
  slots: PQueue;
  catalog: ToolCatalog;
  /** What calls have to themselves. */
  locks: LockTable;
  compaction: CompactionSettings;
  /** Spreads their steps over turns of the event loop. */
  pace: LoopPace;
}

/** What lives as long as the lease is held. */
export interface SessionRun {
  live: LiveSession;
  lease: Lease;
  slots: PQueue;
  transcript: Transcript;
  steps: StepRunner;
  compactor: Compactor;
  asks: AskDesk;
  /** Queued prompts that were read and not promoted yet, in order of admission. */
  queue: WithParts<UserMessage>[];
  /** A turn that another run began and nothing has ended: it goes on, or the next one takes its place. */
  owed: ActiveTurn | undefined;
  /** A turn that waits for an answer, and does not go on in this run: all others queue behind it. */
  waiting: ActiveTurn | undefined;
  /** The turn that runs. */
  turn: ActiveTurn | undefined;
}

/** Begins to work with a lease. */
export async function openRun(live: LiveSession, lease: Lease, { slots, catalog, locks, compaction, pace }: Shared): Promise<SessionRun> {
  const { context, journal } = live;
  const info = await context.storage.getSession(live.info.id);
  if (info === undefined) throw new SessionNotFoundError(live.info.id);
  live.info = info;
  live.hasMail = true;
  journal.setLease(lease, info.seq);
  const transcript = live.rememberedTranscript(info.seq) ?? (await Transcript.read(context.storage, info.id, info.seq));
  const { policy, timeouts, prices, toolConcurrency, clock, ids, logger } = context;
  const onRequest = context.checkPrefix ? prefixCheck(live, transcript) : undefined;
  const onUsage: StepRunnerOnUsage = (message) => {
    live.count(message);
  };
  const asks = new AskDesk(live);
  live.asks = asks;
  const toolOutput = { limits: context.toolOutput.limits, full: new FullOutputs(live) };
  const steps = new StepRunner({ journal, catalog, locks, toolOutput, pace, asks, onUsage, onRequest, permissions: policy, timeouts, prices, concurrency: { tools: toolConcurrency }, clock, ids, logger });
  const compactor = new Compactor(live, transcript, { catalog, compaction });
  return { live, lease, slots, transcript, steps, compactor, asks, queue: [], owed: undefined, waiting: undefined, turn: undefined };
}

type StepRunnerOnUsage = ConstructorParameters<typeof StepRunner>[0]["onUsage"];

export function turnOf(run: SessionRun, prompt: WithParts<UserMessage>): ActiveTurn {
  return new ActiveTurn(run, prompt);
}

/** Makes it the turn that runs, for as long as `work` takes: it can be aborted from now on. */
export async function whileRunning<T>(run: SessionRun, turn: ActiveTurn, work: () => Promise<T>): Promise<T> {
  const { live } = run;
  live.journal.turnID = turn.turnID;
  live.running = turn;
  run.turn = turn;
  if (live.turns.get(turn.messageID)?.abortRequested === true) turn.controller.abort(userAbort());
  try {
    return await work();
  } catch (error) {
    // Tools that still run must not go on for a session that cannot store their results.
    turn.controller.abort(error);
    throw error;
  } finally {
    live.running = undefined;
    run.turn = undefined;
    live.journal.turnID = undefined;
  }
}

/** Takes a slot for the turn, which it leaves while it only waits. Returns the way to leave it. */
export async function enterSlot({ slots, asks }: SessionRun, { signal, ledger }: ActiveTurn): Promise<() => void> {
  const slot = new Slot(slots, signal);
  asks.pause.slot = slot;
  asks.pause.watch = ledger.budget?.watch;
  await slot.enter();
  return () => {
    asks.pause.slot = undefined;
    asks.pause.watch = undefined;
    slot.leave();
  };
}

/** Writes the outcome of a turn, in which nobody is asked any more. Returns how to settle it. */
export function finishTurn({ asks, compactor }: SessionRun, turn: ActiveTurn, ending: Ending): Promise<() => void> {
  if (!asks.isEmpty) asks.drop(asks.all);
  const finished = turn.finish(ending);
  return compactor.prunesAfterTurns ? finished.then((settle) => turn.tidyUp().then(() => settle)) : finished;
}
