import { LeaseLostError } from "../errors.ts";
import type { UserMessage, WithParts } from "../message/message.ts";
import type { Lease } from "../storage/storage.ts";
import type { ActiveTurn } from "./turn/active-turn.ts";
import { compactIfWanted } from "./compaction/compact-if-wanted.ts";
import { keepLease, type HeldLease, type LeaseKeeper } from "./keep-lease.ts";
import type { LiveSession } from "./live-session.ts";
import { runLoop } from "./prompt-loop.ts";
import { readInbox } from "./read-inbox.ts";
import { recover } from "./recovery/recover.ts";
import { leaveWaiting } from "./asks/leave-waiting.ts";
import { bindResumed, isResumed } from "./recovery/resume-turn.ts";
import { enterSlot, finishTurn, openRun, turnOf, whileRunning, type SessionRun, type Shared } from "./session-run.ts";
import { abortError } from "./step/step-ending.ts";
import type { Ending } from "./turn/turn-outcome.ts";
import { titleOf } from "./prompt/title-of.ts";
import { watchAborts } from "./abort/watch-aborts.ts";
import { userAbort } from "./abort/user-abort.ts";

/** Works with the lease until nothing is to be done, one turn at a time, then gives it back. */
export async function workOff(live: LiveSession, { lease, heldSince }: HeldLease, shared: Shared): Promise<void> {
  const { storage, clock, leases } = live.context;
  const onLost = (error: LeaseLostError): void => {
    // Somebody else may write from now on: what still comes of this run is neither written nor published.
    live.journal.fail(error);
    live.running?.controller.abort(error);
  };
  const keeper = keepLease({ storage, clock, lease, ttlMs: leases.ttlMs, heldSince, onLost });
  live.setStatus({ type: "busy" });
  let settle = (): void => undefined;
  let stopWatching = (): void => undefined;
  try {
    const run = await openRun(live, lease, shared);
    stopWatching = await watchAborts(run);
    settle = await recover(run, shared.catalog);
    for (;;) {
      if (live.wantedCompaction !== undefined) {
        // As before a next turn: nobody waits for the work of somebody else.
        settle();
        settle = (await compactIfWanted(run)) ?? (() => undefined);
      }
      const next = await nextTurn(run);
      if (next !== undefined) {
        settle();
        settle = await runTurn(run, next);
      } else if (await release(run, keeper)) break;
    }
  } finally {
    keeper.stop();
    stopWatching();
    live.journal.setLease(undefined);
    live.asks = undefined;
    live.setStatus({ type: "idle" });
    // Last: who awaits the turn finds the status idle and the rows stored.
    settle();
  }
}

/** The owed turn when it is to go on, else that of the first prompt in the queue. */
async function nextTurn(run: SessionRun): Promise<ActiveTurn | undefined> {
  await readAllMail(run);
  const { live, owed, queue } = run;
  if (live.closed || run.waiting !== undefined) return undefined;
  const prompt = owed?.prompt ?? queue[0];
  if (prompt !== undefined) bindResumed(live, prompt);
  if (owed !== undefined && goesOn(run, owed)) {
    run.owed = undefined;
    return owed;
  }
  const next = queue.shift();
  return next && turnOf(run, next);
}

/** Hears of all that has come in, once nobody takes anything out of the queue any more. */
async function readAllMail(run: SessionRun): Promise<void> {
  const { live } = run;
  // Whoever cancels hears of a failure.
  if (live.cancelling !== undefined) await live.cancelling.catch(() => undefined);
  // Not of a closed session: an abort request may be for the turn that was just handed over.
  while (live.hasMail && !live.closed) await readInbox(run, run.owed ?? run.waiting);
}

/** Whether an owed turn is not left to whoever resumes it. */
function goesOn({ live }: SessionRun, { signal, prompts }: ActiveTurn): boolean {
  // Aborted after it was recovered: it has no need of a lease to go on, only of its outcome.
  return signal.aborted || prompts.some(({ id }) => isResumed(live, id));
}

/** Runs one turn to its stored outcome. Returns how to settle it. */
function runTurn(run: SessionRun, turn: ActiveTurn): Promise<() => void> {
  return whileRunning(run, turn, async () => {
    const leaveSlot = await enterSlot(run, turn);
    try {
      // What has not begun stays queued when the session is closed.
      return run.live.closed ? () => undefined : await runToOutcome(run, turn);
    } finally {
      leaveSlot();
      turn.close();
    }
  });
}

async function runToOutcome(run: SessionRun, turn: ActiveTurn): Promise<() => void> {
  const { live } = run;
  const { journal, context } = live;
  let settleReplaced = (): void => undefined;
  if (turn.isPromoted) turn.goOn();
  else {
    const replaced = run.owed?.outcome({ type: "aborted", error: abortError(userAbort()) });
    if (!(await turn.promote(turn.prompt, replaced))) return () => undefined;
    run.owed = undefined;
    settleReplaced = replaced?.settle ?? settleReplaced;
  }
  settleReplaced();
  journal.emit(journal.event("turn.started", { messageID: turn.messageID }));
  if (live.info.title === "") live.update({ title: titleOf(turn.prompt) });
  const ending = await runLoop(turn, () => promoteSteered(run, turn));
  context.logger?.({ level: "debug", message: "A turn ended.", sessionID: live.info.id, turnID: turn.turnID, outcome: outcomeName(ending) });
  if (ending === undefined) return () => undefined;
  return ending === "waiting" ? leaveWaiting(run, turn) : finishTurn(run, turn, ending);
}

function outcomeName(ending: Ending | "waiting" | undefined): string {
  return typeof ending === "object" ? ending.type : (ending ?? "handed over");
}

/** A promise only where something waits: each step asks. */
function promoteSteered(run: SessionRun, turn: ActiveTurn): Promise<void> | undefined {
  return run.live.hasMail || run.queue.length > 0 ? promoteWaiting(run, turn) : undefined;
}

async function promoteWaiting(run: SessionRun, turn: ActiveTurn): Promise<void> {
  await readInbox(run, turn);
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

/** Gives the lease back, unless something came in that was not seen yet. A closed session leaves that to others. */
async function giveBack({ context, info, journal, closed }: LiveSession, lease: Lease): Promise<boolean> {
  const { storage } = context;
  if (closed) return storage.releaseLease(lease);
  if (info.id === info.rootID) return storage.releaseLease(lease, { ifSeq: journal.seq });
  // The lease is the tree's: the store would look at the root. Who prompts a child from now on asks for it until it is free.
  return (await storage.getSession(info.id))?.seq === journal.seq && storage.releaseLease(lease);
}

/** Ends the work with the lease. False when there is more. */
async function release({ live, lease, transcript, owed, waiting }: SessionRun, keeper: LeaseKeeper): Promise<boolean> {
  const { storage, owner, leases } = live.context;
  await live.journal.flush();
  transcript.seq = live.journal.seq;
  // What is owed is found in the stored rows: those in memory know of no outcome, and lack the step that waits.
  live.remember(owed === undefined && waiting === undefined ? transcript : undefined);
  live.waitsForAnswer = waiting !== undefined;
  await keeper.pause();
  if (await giveBack(live, lease)) {
    // Somebody wants it to end, which takes another run.
    if (waiting?.signal.aborted === true) live.hasMail = true;
    return true;
  }
  const renewed = await storage.acquireLease(lease.rootID, owner, leases.ttlMs);
  if (renewed?.fence !== lease.fence) {
    // It was taken and given back in between: what the store has now must not keep others out.
    if (renewed !== undefined) await storage.releaseLease(renewed);
    throw new LeaseLostError(lease.rootID);
  }
  keeper.goOn();
  live.hasMail = true;
  return false;
}
