import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { Part, ToolPart } from "../../message/part.ts";
import { isSettled } from "../../message/tool-state.ts";
import type { OwnerOperation } from "../../storage/storage.ts";
import { toolNotStartedText } from "../../tools/error-texts.ts";
import { findTool } from "../../tools/find-tool.ts";
import type { ActiveTurn } from "../turn/active-turn.ts";
import { isHandedOver } from "../turn/hand-over.ts";
import { closeInterrupted, isOpen } from "./close-interrupted.ts";
import type { SessionEvent } from "../events.ts";
import { finishedEvent } from "../calls/call-events.ts";
import { leaveWaiting } from "../asks/leave-waiting.ts";
import { Suspension } from "../asks/suspension.ts";
import { findOwedTurn, type OwedTurn } from "./owed-turn.ts";
import { abortedEnding, reachedEnding } from "../prompt-loop.ts";
import { readInbox } from "../read-inbox.ts";
import { bindResumed, isResumed } from "./resume-turn.ts";
import { enterSlot, finishTurn, turnOf, whileRunning, type SessionRun } from "../session-run.ts";
import type { ToolCatalog } from "../calls/tool-catalog.ts";

type Answer = WithParts<AssistantMessage>;

/**
 * Closes what a process left open when it ended: nothing is running any more that this run does not run. A turn that lacks
 * only its outcome gets it; one whose answer is still owed is left in `run.owed`, one that waits for an answer in
 * `run.waiting`, unless it is to go on. Each commit on the way may be the last: the next recovery goes on from there.
 *
 * @returns how to settle a turn that was ended
 */
export async function recover(run: SessionRun, catalog: ToolCatalog): Promise<() => void> {
  const { live, transcript } = run;
  const { entries } = transcript;
  const owed = findOwedTurn(entries);
  const prompt = owed?.prompts[0];
  if (owed === undefined || prompt === undefined) {
    closeAll(run, () => false);
    return () => undefined;
  }
  const tools = (await catalog.entries()).map(({ tool }) => tool);
  const turn = turnOf(run, prompt);
  turn.adoptPrompts(owed);
  return whileRunning(run, turn, async () => {
    const waits = await loadAsks(run, owed);
    await readInbox(run, turn);
    if (waits) bindResumed(live, prompt);
    if (waits && !turn.signal.aborted && !isResumed(live, turn.messageID)) return leaveWaiting(run, turn, owed);
    const runsAgain = (part: ToolPart): boolean => part.state.status === "running" && part.providerExecuted !== true && findTool(tools, part.tool)?.idempotent === true;
    const isKept = (part: ToolPart, message: AssistantMessage): boolean => message.parentID === turn.messageID && (run.asks.of(part) !== undefined || runsAgain(part));
    if (turn.signal.aborted && !isHandedOver(turn.signal)) closeAll(run, () => false, toolNotStartedText);
    else closeAll(run, isKept);
    await live.journal.flush();
    if (!(await repeatCalls(run, turn))) return leaveWaiting(run, turn, owed);
    const left = findOwedTurn(entries);
    if (left !== undefined) turn.adopt(left);
    await turn.settleOutput();
    const ending = turn.signal.aborted ? abortedEnding(turn) : reachedEnding(turn);
    if (ending !== undefined) return finishTurn(run, turn, ending);
    run.owed = turn;
    return () => undefined;
  }).finally(() => {
    if (run.owed !== turn) turn.close();
  });
}

/** Takes the asks that calls of the turn wait for, and closes all others. Whether there are any. */
async function loadAsks({ live, asks }: SessionRun, { messages }: OwedTurn): Promise<boolean> {
  const stored = (await live.context.storage.inbox(live.info.id)).asks;
  if (stored.length === 0) return false;
  const waiting = messages.filter(isOpen).flatMap(({ parts }) => parts.filter(isWaiting));
  asks.load(stored);
  asks.drop(stored.filter((ask) => !waiting.some(({ id, messageID }) => id === ask.partID && messageID === ask.messageID)));
  return !asks.isEmpty;
}

/** Whether a call that has an ask waits for it: it was not started, here or at the provider. */
function isWaiting(part: Part): part is ToolPart {
  return part.type === "tool" && (part.state.status === "pending" || (part.state.status === "running" && part.approval !== undefined));
}

/** Closes every open message, in one commit. Calls that are to run yet stay as they are, and so do their messages. */
function closeAll({ live, transcript }: SessionRun, isKept: (part: ToolPart, message: AssistantMessage) => boolean, notRunText?: (tool: string) => string): void {
  transcript.entries.forEach((entry, index) => {
    if (!isOpen(entry)) return;
    const closed = closeInterrupted(entry, (part) => isKept(part, entry.info), live.context.clock.now(), notRunText);
    transcript.entries[index] = closed;
    store(live, entry, closed);
  });
}

/** Runs the calls that were left for it, message by message. False when some wait for answers, and not here. */
async function repeatCalls(run: SessionRun, turn: ActiveTurn): Promise<boolean> {
  const { live, transcript } = run;
  for (const [index, entry] of transcript.entries.entries()) {
    if (!isOpen(entry)) continue;
    const calls = entry.parts.filter((part): part is ToolPart => part.type === "tool" && !isSettled(part.state));
    const leaveSlot = await enterSlot(run, turn);
    let settled: Answer = entry;
    try {
      settled = { info: entry.info, parts: await turn.runAgain(calls, entry) };
    } catch (error) {
      if (error instanceof Suspension) return false;
      // An abort that came before anything ran.
      if (live.journal.failure !== undefined || !turn.signal.aborted) throw error;
    } finally {
      leaveSlot();
    }
    // What was handed over runs where the turn goes on.
    const closed = closeInterrupted(settled, () => isHandedOver(turn.signal), live.context.clock.now(), toolNotStartedText);
    transcript.entries[index] = closed;
    store(live, settled, closed);
  }
  return true;
}

/** Writes what has changed. */
function store({ journal }: SessionRun["live"], before: Answer, after: Answer): void {
  const operations: OwnerOperation[] = [];
  const events: SessionEvent[] = [];
  after.parts.forEach((part, index) => {
    if (part === before.parts[index]) return;
    operations.push({ type: "part.put", part });
    events.push(journal.event("part.updated", { part }), ...finished(part, journal));
  });
  operations.push({ type: "message.put", message: after.info });
  events.push(journal.event("message.updated", { message: after.info }));
  journal.write(operations, events);
}

function finished(part: Part, journal: SessionRun["live"]["journal"]): SessionEvent[] {
  return part.type === "tool" ? [finishedEvent(part, 0, { journal })] : [];
}
