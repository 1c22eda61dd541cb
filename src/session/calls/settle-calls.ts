import { noteRepetitions } from "../repetition/repetition-guard.ts";
import PQueue from "p-queue";
import type { Ask } from "../../message/ask.ts";
import { isSettled } from "../../message/tool-state.ts";
import { Suspension } from "../asks/suspension.ts";
import { Slot } from "../slot.ts";
import { closeCall, type StepCalls } from "./close-calls.ts";
import { executeCall } from "./execute-call.ts";
import { obtainLeave } from "./obtain-leave.ts";
import { takeLocks } from "./call-locks.ts";
import type { Urgency } from "../journal/journal.ts";
import { prepareCall, type PreparedCall, type ReadyCall } from "./prepare-call.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/**
 * Gives every call of a step its result: decides about all, then runs what may run, side by side up to the limit; what a
 * person is asked about runs when it is allowed. Results belong to their call's row, so that they stand in call order
 * however long each takes.
 *
 * @throws the signal's reason when the turn is aborted while it decides; `StorageError` when a call cannot be stored;
 * `Suspension` when calls wait for answers, but not here
 */
export async function settleCalls(calls: StepCalls, environment: ToolEnvironment): Promise<void> {
  const open = calls.fold.all.filter((call) => !isSettled(call.part.state));
  noteRepetitions(open, calls.parts.all, environment.earlierCalls);
  const prepared = await Promise.all(open.map((call) => prepareCall(call, calls, environment)));
  const ready = prepared.filter((call): call is PreparedCall => call !== undefined);
  if (ready.length === 0) return;
  const { asks, concurrency, signal } = environment;
  const queue = ready.length > concurrency ? new PQueue({ concurrency }) : undefined;
  let left = ready.length;
  const execute = async (call: ReadyCall): Promise<(urgency: Urgency) => void> => {
    const locks = call.tool.locks === undefined ? undefined : await takeLocks(call, environment);
    if (typeof locks === "string") return () => { closeCall(call.call, locks, calls, environment); };
    // Waiting holds no place, and who has a place waits for no lock.
    const slot = queue && new Slot(queue, signal);
    await slot?.enter();
    try {
      return await executeCall(call, calls, environment, { slot, locks });
    } finally {
      slot?.leave();
      locks?.letGo();
    }
  };
  /** Whether the call has its result. */
  const run = async (call: PreparedCall): Promise<boolean> => {
    const leave = needsLeave(call) ? await obtainLeave(call, calls, environment) : "allowed";
    if (leave === "allowed" && call.tool !== undefined) {
      const settle = await execute(call);
      left -= 1;
      // What follows the last result is written at once, and takes it along into its commit.
      settle(left === 0 ? "soon" : "now");
      asks?.pause.done();
    } else left -= 1;
    return leave !== "suspended";
  };
  asks?.pause.begin(ready.filter((call) => !needsLeave(call)).length);
  const settled = await Promise.all(ready.map(run));
  if (settled.includes(false)) throw new Suspension();
}

function needsLeave(call: PreparedCall): call is PreparedCall & { ask: Ask } {
  return call.ask !== undefined;
}
