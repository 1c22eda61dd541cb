import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { Part, ToolPart } from "../../message/part.ts";
import type { OwnerOperation } from "../../storage/storage.ts";
import { findTool } from "../../tools/find-tool.ts";
import type { ActiveTurn } from "../turn/active-turn.ts";
import { isHandedOver } from "../turn/hand-over.ts";
import { closeInterrupted, isOpen } from "./close-interrupted.ts";
import { enterSlot } from "../enter-slot.ts";
import type { SessionEvent } from "../events.ts";
import { finishedEvent } from "../calls/call-events.ts";
import { findOwedTurn } from "./owed-turn.ts";
import { abortedEnding, reachedEnding } from "../prompt-loop.ts";
import { readInbox } from "../read-inbox.ts";
import { turnOf, whileRunning, type SessionRun } from "../session-run.ts";
import type { ToolCatalog } from "../calls/tool-catalog.ts";

type Answer = WithParts<AssistantMessage>;

/**
 * Closes what a process left open when it ended: nothing is running any more that this run does not run. A turn that lacks
 * only its outcome gets it; one whose answer is still owed is left in `run.owed`. Each commit on the way may be the last:
 * the next recovery goes on from there.
 *
 * @returns how to settle a turn that was ended
 */
export async function recover(run: SessionRun, catalog: ToolCatalog): Promise<() => void> {
  const { entries } = run.transcript;
  const prompt = findOwedTurn(entries)?.prompts[0];
  if (prompt === undefined) {
    closeAll(run, () => false);
    return () => undefined;
  }
  const tools = (await catalog.entries()).map(({ tool }) => tool);
  const turn = turnOf(run, prompt);
  return whileRunning(run, turn, async () => {
    await readInbox(run, turn);
    const runsAgain = (part: ToolPart): boolean => part.providerExecuted !== true && findTool(tools, part.tool)?.idempotent === true;
    closeAll(run, (part, message) => message.parentID === turn.messageID && !turn.signal.aborted && runsAgain(part));
    await run.live.journal.flush();
    await repeatCalls(run, turn);
    const owed = findOwedTurn(entries);
    if (owed !== undefined) turn.adopt(owed);
    const ending = turn.signal.aborted ? abortedEnding(turn) : reachedEnding(turn);
    if (ending !== undefined) return turn.finish(ending);
    run.owed = turn;
    return () => undefined;
  });
}

/** Closes every open message, in one commit. Calls that are to run again stay as they are, and so do their messages. */
function closeAll({ live, transcript }: SessionRun, runsAgain: (part: ToolPart, message: AssistantMessage) => boolean): void {
  transcript.entries.forEach((entry, index) => {
    if (!isOpen(entry)) return;
    const closed = closeInterrupted(entry, (part) => runsAgain(part, entry.info), live.context.clock.now());
    transcript.entries[index] = closed;
    store(live, entry, closed);
  });
}

/** Runs the calls again that were left for it, message by message. */
async function repeatCalls(run: SessionRun, turn: ActiveTurn): Promise<void> {
  const { live, transcript, slots } = run;
  for (const [index, entry] of transcript.entries.entries()) {
    if (!isOpen(entry)) continue;
    const calls = entry.parts.filter((part): part is ToolPart => part.type === "tool" && part.state.status === "running");
    const leaveSlot = await enterSlot(slots, turn.signal);
    try {
      const parts = await turn.runAgain(calls, entry);
      const settled: Answer = { info: entry.info, parts };
      // What was handed over runs again where the turn goes on.
      const closed = closeInterrupted(settled, () => isHandedOver(turn.signal), live.context.clock.now());
      transcript.entries[index] = closed;
      store(live, settled, closed);
    } finally {
      leaveSlot();
    }
  }
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
