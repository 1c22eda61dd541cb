import { AskRejectedError } from "../../errors.ts";
import type { JSONObject } from "../../message/json.ts";
import type { ToolState, ToolStateCompleted } from "../../message/tool-state.ts";
import { toolAbortedText, toolNotStartedText, toolIdleText, toolThrewText, toolTimedOutText } from "../../tools/error-texts.ts";
import { limitText } from "../../tools/limit-output.ts";
import { normalizeToolOutput } from "../../tools/normalize-tool-output.ts";
import type { ToolContext, ToolProgress } from "../../tools/tool-context.ts";
import { monotonicNow } from "../../util/clock.ts";
import type { Urgency } from "../journal/journal.ts";
import { CallContext } from "./call-context.ts";
import { finishedEvent, startedEvent } from "./call-events.ts";
import { ranForMs } from "../step/call-fold.ts";
import type { Slot } from "../slot.ts";
import { askFromTool, dropQuestions } from "./ask-from-tool.ts";
import { closeCall, type StepCalls } from "./close-calls.ts";
import type { ReadyCall } from "./prepare-call.ts";
import { isHandedOver } from "../turn/hand-over.ts";
import type { CallLocks } from "./call-locks.ts";
import { limitsOf, settleOutput, type SettledOutput } from "./settle-output.ts";
import { runTool, type ToolRun } from "./run-tool.ts";
import type { ToolTimer } from "./tool-timer.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** What a call holds while it runs, and lets go of while it waits for a person. */
export interface CallPlace {
  /** Its place among those that run at once; absent where all may. */
  slot?: Slot | undefined;
  locks?: CallLocks | undefined;
}

const noPlace: CallPlace = Object.freeze({});

/**
 * Runs a call. Returns how to write its result, so that the caller says when.
 *
 * @param place what the call holds while it runs
 */
export async function executeCall(ready: ReadyCall, calls: StepCalls, environment: ToolEnvironment, { slot, locks }: CallPlace = noPlace): Promise<(urgency: Urgency) => void> {
  const { call, tool, input, ask: answered } = ready;
  const { clock, journal } = environment;
  const notStarted = (): void => {
    if (!isHandedOver(environment.signal)) closeCall(call, toolNotStartedText(tool.name), calls, environment);
  };
  const isAborted = (): boolean => environment.signal.aborted;
  if (isAborted()) return notStarted;
  const start = clock.now();
  const startedMs = monotonicNow(clock);
  // In the commit that starts the call: a crash on either side of it leaves an answer to carry out, or a call that may have run.
  if (answered !== undefined) environment.asks?.carryOut(answered);
  const running = calls.fold.move(call, { status: "running", input, time: { start } });
  calls.parts.replace(running, "now", [startedEvent(running, input, tool.title, environment)]);
  // The call must be stored before the tool can have an effect: after a crash the store knows that it may have run.
  await journal.flush();
  // Somebody aborted the turn meanwhile, perhaps on hearing of this call.
  if (isAborted()) return notStarted;
  call.startedMs = startedMs;
  let ended = false;
  let timing: ToolTimer | undefined;
  const progress = (update: ToolProgress): void => {
    timing?.progress();
    if (!ended) showProgress(ready, update, calls, environment);
  };
  const run = await runTool({
    execute: (abort, timer) => {
      const ask: ToolContext["ask"] = (question) => askFromTool(question, ready, environment, { timer, slot, locks, hasEnded: () => ended });
      timing = timer;
      return tool.execute?.(ready.value, new CallContext(ready, abort, { progress, ask }, environment));
    },
    onProgress: (value) => {
      const { title, output, metadata } = normalizeToolOutput(value, tool);
      progress({ title, metadata: { output: shortened(output, ready, environment), ...metadata } });
    },
    finish: (value) => settleOutput(value, ready, environment),
    signal: environment.signal,
    limits: { timeoutMs: tool.timeoutMs ?? environment.toolMs, idleTimeoutMs: tool.idleTimeoutMs },
    retry: tool.retry ?? 0,
    graceMs: environment.graceMs,
    clock,
  });
  ended = true;
  // Nobody knows what it did: recovery says so, or runs it again.
  if (run.type === "aborted" && isHandedOver(environment.signal)) return () => undefined;
  dropQuestions(call.part, environment);
  const durationMs = ranForMs(call, clock);
  const state = finalState(run, ready, start, environment);
  const keeping = run.type === "value" ? run.value.keep : undefined;
  return (urgency) => {
    if (keeping !== undefined) journal.write(keeping(), [], urgency);
    const row = calls.fold.move(call, state);
    calls.parts.replace(row, urgency, [finishedEvent(row, durationMs, environment)]);
  };
}

function showProgress(ready: ReadyCall, update: ToolProgress, calls: StepCalls, { journal }: ToolEnvironment): void {
  const { part } = ready.call;
  if (part.state.status !== "running") return;
  const shown = normalizeToolOutput({ title: update.title, output: "", metadata: update.metadata }, ready.tool);
  const title = update.title === undefined ? part.state.title : shown.title;
  const metadata = { ...part.state.metadata, ...shown.metadata };
  const row = calls.fold.move(ready.call, { ...part.state, ...(title !== undefined && { title }), metadata });
  const { messageID, id: partID, callID, tool } = row;
  calls.parts.replace(row, "later", [journal.event("tool.progress", { messageID, partID, callID, tool, title, metadata })]);
}

function finalState(run: ToolRun<SettledOutput>, ready: ReadyCall, start: number, environment: ToolEnvironment): ToolState {
  const { tool, input, call } = ready;
  const time = { start, end: environment.clock.now() };
  const metadata = call.part.state.status === "running" ? call.part.state.metadata : undefined;
  const failed = (error: string, rejected = false): ToolState => ({ status: "error", input, error: shortened(error, ready, environment), ...(rejected && { rejected }), ...(metadata !== undefined && { metadata }), time });
  switch (run.type) {
    case "value":
      return completed(run.value, ready, metadata, time);
    case "timeout":
      return failed((run.reached.isIdle ? toolIdleText : toolTimedOutText)(tool.name, run.reached.limitMs));
    case "aborted":
      return failed(toolAbortedText(tool.name));
    case "error":
      return run.error instanceof AskRejectedError ? failed(run.error.message, run.error.endsTurn) : failed(toolThrewText(tool.name, run.error));
  }
}

function completed({ output, truncated }: SettledOutput, { call, input }: ReadyCall, progress: JSONObject | undefined, time: { start: number; end: number }): ToolState {
  const { id, sessionID, messageID } = call.part;
  const metadata = progress === undefined ? output.metadata : { ...progress, ...output.metadata };
  // Shown while the tool yielded, and now the output itself.
  if (metadata["output"] === output.output || (truncated !== undefined && output.metadata["output"] === undefined)) delete metadata["output"];
  const state: ToolStateCompleted = { status: "completed", input, output: output.output, title: output.title, metadata, time };
  if (output.attachments !== undefined) {
    state.attachments = output.attachments.map((file, index) => ({ id: `${id}_${index}`, sessionID, messageID, type: "file", ...file }));
  }
  if (output.modelOutput !== undefined) state.modelOutput = output.modelOutput;
  if (truncated !== undefined) state.truncated = truncated;
  if (output.kept !== undefined) state.kept = output.kept;
  return state;
}

/** Of a text that is no result, nothing but what is shown is kept. */
function shortened(text: string, { tool }: ReadyCall, environment: ToolEnvironment): string {
  return limitText(text, { limits: limitsOf(tool, environment), fullID: undefined }).text;
}
