import type { Ask } from "../../message/ask.ts";
import type { JSONObject } from "../../message/json.ts";
import type { CompiledTool } from "../../tools/compiled-tool.ts";
import { inputUncheckedText, notRunText, toolThrewText, unknownToolText } from "../../tools/error-texts.ts";
import { findTool } from "../../tools/find-tool.ts";
import { wholeTool } from "../../tools/needed-permission.ts";
import { parseToolInput, type ToolInputOutcome } from "../../tools/parse-tool-input.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { settleInTime } from "../../util/settle-in-time.ts";
import type { StreamedCall } from "../step/call-fold.ts";
import { decideRepeated } from "../repetition/decide-repeated.ts";
import { closeCall, type StepCalls } from "./close-calls.ts";
import { copyMessages } from "./copy-messages.ts";
import { judge, type Leave } from "./decide-call.ts";
import { LeaveContext } from "./leave-context.ts";
import { withinToolTime } from "./within-tool-time.ts";
import { prepareProviderCall, type ProviderApproval } from "./provider-call.ts";
import type { ToolEnvironment } from "./tool-environment.ts";
import { waitForLeave } from "./wait-for-leave.ts";

/** A call that may run. */
export interface ReadyCall {
  call: StreamedCall;
  tool: CompiledTool;
  /** The input as the schema made it: what the tool gets. */
  value: unknown;
  /** The input as the model gave it: what is stored. */
  input: JSONObject;
  /** The leave that it needs, for who decides about it again. */
  leave: Leave;
  /** The ask that has to be answered first; once it is, the answer. */
  ask: Ask | undefined;
}

/** A call that wants a result. */
export type PreparedCall = ReadyCall | ProviderApproval;

/**
 * Decides about one call: finds its tool, checks its input, asks the policy. A call that may not run gets its error
 * result here, written for the model; then there is nothing to return.
 */
export async function prepareCall(call: StreamedCall, calls: StepCalls, environment: ToolEnvironment): Promise<PreparedCall | undefined> {
  if (call.complete && call.part.providerExecuted === true) return prepareProviderCall(call, calls, environment);
  const prepared = await prepareOwnCall(call, calls, environment);
  if (typeof prepared !== "string") return prepared;
  closeCall(call, prepared, calls, environment);
  return undefined;
}

/** The call, or why it does not run. */
async function prepareOwnCall(call: StreamedCall, calls: StepCalls, environment: ToolEnvironment): Promise<ReadyCall | string> {
  // Its arguments began to come and never ended: whatever there is of them must not run.
  if (!call.complete) return notRunText(call.part.tool, "the call was not completed");
  const tool = findTool(environment.tools, call.part.tool);
  if (tool?.execute === undefined) return unknownToolText(call.part.tool, environment.tools.map(({ name }) => name));
  if (tool.name !== call.part.tool) calls.fold.update(call, { tool: tool.name });
  const parsing = parseToolInput(tool, call.raw);
  const parsed = parsing instanceof Promise ? await parsedInTime(parsing, tool, environment) : parsing;
  if (tool.textInput === true) {
    calls.fold.update(call, { textInput: true });
    // As an object: the row of a call that is refused must hold the text, too, or the model sees an empty call later.
    call.raw = JSON.stringify(parsed.input);
  }
  return parsed.ok ? judgeCall({ call, tool, parsed }, calls, environment) : parsed.error;
}

/** A schema may run code of the host's, which may never answer. */
function parsedInTime(parsing: Promise<ToolInputOutcome>, tool: CompiledTool, { signal, clock, hookMs }: ToolEnvironment): Promise<ToolInputOutcome> {
  return settleInTime(parsing, { signal, clock, ms: hookMs }, () => ({ ok: false, error: inputUncheckedText(tool.name, hookMs), input: {} }));
}

/** A call whose input fits its tool. */
interface ValidCall {
  call: StreamedCall;
  tool: CompiledTool;
  parsed: Pick<ReadyCall, "value" | "input">;
}

/** Asks whether a call may run. Returns why it does not when it may not. */
async function judgeCall({ call, tool, parsed }: ValidCall, calls: StepCalls, environment: ToolEnvironment): Promise<ReadyCall | string> {
  // A policy is foreign code, and this is what gets stored.
  const input = deepFreeze(parsed.input);
  environment.hooks?.available(tool.name, call.part.callID, parsed.value);
  if (tool.needsNoLeave === true) return { call, tool, value: parsed.value, input, leave: noLeave(tool, input), ask: undefined };
  const leave = await neededLeave(call, tool, parsed, environment);
  if (typeof leave === "string") return leave;
  const decided = await decideRepeated(call, leave, environment);
  const onOpened = (): void => {
    // As it waits: with its input, so that it can be run by whoever has the answer.
    calls.parts.replace(calls.fold.move(call, { status: "pending", input, raw: call.raw }));
  };
  const verdict = judge(call, decided.leave, decided.decision, { asks: environment.asks, onOpened });
  return verdict.action === "refuse" ? verdict.error : { call, tool, value: parsed.value, input, leave: decided.leave, ask: verdict.ask };
}

function noLeave({ name }: CompiledTool, input: JSONObject): Leave {
  return { tool: name, permission: name, patterns: [], input, defaultAction: "allow", told: {} };
}

/** The leave that the call needs, by the tool's own code; the error result when that throws. */
async function neededLeave(call: StreamedCall, tool: CompiledTool, { value, input }: Pick<ReadyCall, "value" | "input">, environment: ToolEnvironment): Promise<(Leave & { title: string }) | string> {
  try {
    const needed = tool.permission === undefined ? wholeTool(tool.name) : tool.permission(value, new LeaveContext(tool.name, call, environment));
    const told = needed instanceof Promise ? await withinToolTime(needed, tool, environment) : needed;
    const { permission, patterns, uncertain } = told;
    let { defaultAction } = tool;
    if (tool.needsApproval !== undefined) {
      const answer = tool.needsApproval(value, { toolCallId: call.part.callID, messages: copyMessages(environment.messages), context: undefined });
      const asks = await waitForLeave(Promise.resolve(answer), { of: "needsApproval", tool: tool.name, callID: call.part.callID }, environment);
      if (asks) defaultAction = "ask";
    }
    return { tool: tool.name, permission, patterns, uncertain, input, defaultAction, told, title: titleOf(tool, patterns) };
  } catch (error) {
    if (environment.signal.aborted) throw error;
    return toolThrewText(tool.name, error);
  }
}

/** What a person is asked, when the tool does not say. */
function titleOf({ name, title = name }: CompiledTool, patterns: readonly string[]): string {
  return patterns.every((pattern) => pattern === "*") ? title : `${title}: ${patterns.join(", ")}`;
}
