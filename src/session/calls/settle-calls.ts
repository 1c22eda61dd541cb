import PQueue from "p-queue";
import { isSettled } from "../../message/tool-state.ts";
import type { StepCalls } from "./close-calls.ts";
import { executeCall } from "./execute-call.ts";
import { prepareCall, type ReadyCall } from "./prepare-call.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/**
 * Gives every call of a step its result: decides about all, then runs what may run, side by side up to the limit. Results
 * belong to their call's row, so that they stand in call order however long each takes.
 *
 * @throws the signal's reason when the turn is aborted while it decides; `StorageError` when a call cannot be stored
 */
export async function settleCalls(calls: StepCalls, environment: ToolEnvironment): Promise<void> {
  const open = calls.fold.all.filter((call) => !isSettled(call.part.state));
  const prepared = await Promise.all(open.map((call) => prepareCall(call, calls, environment)));
  const ready = prepared.filter((call): call is ReadyCall => call !== undefined);
  if (ready.length === 0) return;
  let running = ready.length;
  const run = async (call: ReadyCall): Promise<void> => {
    const settle = await executeCall(call, calls, environment);
    running -= 1;
    // What follows the last result is written at once, and takes it along into its commit.
    settle(running === 0 ? "soon" : "now");
  };
  if (ready.length <= environment.concurrency) {
    await Promise.all(ready.map(run));
    return;
  }
  const queue = new PQueue({ concurrency: environment.concurrency });
  await Promise.all(ready.map((call) => queue.add(() => run(call))));
}
