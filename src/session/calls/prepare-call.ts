import type { JSONObject } from "../../message/json.ts";
import type { ToolPart } from "../../message/part.ts";
import type { ToolState } from "../../message/tool-state.ts";
import type { PermissionDecision, PermissionRequest } from "../../permission/permission-policy.ts";
import type { CompiledTool } from "../../tools/compiled-tool.ts";
import { deniedText, noAnswerText, notRunText, toolThrewText, unknownToolText } from "../../tools/error-texts.ts";
import { findTool } from "../../tools/find-tool.ts";
import { parseToolInput } from "../../tools/parse-tool-input.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { untilAborted } from "../../util/until-aborted.ts";
import { finishedEvent } from "./call-events.ts";
import { objectOf, ranForMs, type StreamedCall } from "../step/call-fold.ts";
import { closeCall, type StepCalls } from "./close-calls.ts";
import { copyMessages } from "./copy-messages.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** A call that may run. */
export interface ReadyCall {
  call: StreamedCall;
  tool: CompiledTool;
  /** The input as the schema made it: what the tool gets. */
  value: unknown;
  /** The input as the model gave it: what is stored. */
  input: JSONObject;
}

/**
 * Decides about one call: finds its tool, checks its input, asks the policy. A call that may not run gets its error
 * result here, written for the model; then there is nothing to return.
 */
export async function prepareCall(call: StreamedCall, calls: StepCalls, environment: ToolEnvironment): Promise<ReadyCall | undefined> {
  /** The call does not run: its result says why. */
  const refuse = (error: string): ReadyCall | undefined => {
    closeCall(call, error, calls, environment);
    return undefined;
  };
  // Its arguments began to come and never ended: whatever there is of them must not run.
  if (!call.complete) return refuse(notRunText(call.part.tool, "the call was not completed"));
  if (call.part.providerExecuted === true) {
    await settleProviderCall(call, calls, environment);
    return undefined;
  }
  const tool = findTool(environment.tools, call.part.tool);
  if (tool?.execute === undefined) return refuse(unknownToolText(call.part.tool, environment.tools.map(({ name }) => name)));
  if (tool.name !== call.part.tool) calls.fold.update(call, { tool: tool.name });
  const parsing = settled(parseToolInput(tool, call.raw), environment);
  const parsed = parsing instanceof Promise ? await parsing : parsing;
  if (tool.textInput === true) {
    calls.fold.update(call, { textInput: true });
    // As an object: the row of a call that is refused must hold the text, too, or the model sees an empty call later.
    call.raw = JSON.stringify(parsed.input);
  }
  if (!parsed.ok) return refuse(parsed.error);
  // A policy is foreign code, and this is what gets stored.
  deepFreeze(parsed.input);
  environment.hooks?.available(tool.name, call.part.callID, parsed.value);
  const leave = await neededLeave(call, tool, parsed, environment);
  if (typeof leave === "string") return refuse(leave);
  const decision = await decide(call, leave, environment);
  if (decision.action !== "allow") return refuse(refusal(decision, tool.name));
  return { call, tool, value: parsed.value, input: parsed.input };
}

type Leave = Pick<PermissionRequest, "tool" | "permission" | "patterns" | "input" | "defaultAction">;

/** The leave that the call needs, by the tool's own code; the error result when that throws. */
async function neededLeave(call: StreamedCall, tool: CompiledTool, { value, input }: Pick<ReadyCall, "value" | "input">, environment: ToolEnvironment): Promise<Leave | string> {
  try {
    const { permission, patterns } = tool.permission(value);
    let { defaultAction } = tool;
    if (tool.needsApproval !== undefined) {
      const answer = tool.needsApproval(value, { toolCallId: call.part.callID, messages: copyMessages(environment.messages), context: undefined });
      const asks = await settled(Promise.resolve(answer), environment);
      if (asks) defaultAction = "ask";
    }
    return { tool: tool.name, permission, patterns, input, defaultAction };
  } catch (error) {
    if (environment.signal.aborted) throw error;
    return toolThrewText(tool.name, error);
  }
}

function decide(call: StreamedCall, leave: Leave, environment: ToolEnvironment): PermissionDecision | Promise<PermissionDecision> {
  const { tool, permission, patterns, input, defaultAction } = leave;
  const { sessionID, rootID, agent, policy } = environment;
  const { messageID, callID } = call.part;
  // Field by field: a spread before or behind others makes an object that V8 has no cached shape for.
  return settled(policy.decide({ sessionID, rootID, agent, tool, messageID, callID, permission, patterns, input, defaultAction }), environment);
}

/** A validator or a policy is foreign code: it may take its time, but not past the end of the turn. */
function settled<T>(value: T | Promise<T>, environment: ToolEnvironment): T | Promise<T> {
  return value instanceof Promise ? untilAborted(value, environment.signal) : value;
}

/** Nothing turns an ask into allow: where nobody can answer one, the call does not run. */
function refusal(decision: PermissionDecision, tool: string): string {
  return decision.action === "ask" ? noAnswerText(tool) : deniedText(tool, decision);
}

/** A call that the provider runs: it wants leave first, or gives its result in a later message. */
async function settleProviderCall(call: StreamedCall, calls: StepCalls, environment: ToolEnvironment): Promise<void> {
  const { fold, parts } = calls;
  const { approval, tool } = call.part;
  const now = environment.clock.now();
  const input = objectOf(call.raw);
  const time = { start: now, end: now };
  const settle = (state: ToolState, change: Partial<ToolPart>): void => {
    const row = fold.move(call, state, change);
    parts.replace(row, "soon", [finishedEvent(row, ranForMs(call, environment.clock), environment)]);
  };
  if (approval === undefined) {
    const output = "The provider runs this tool and gives its result later.";
    settle({ status: "completed", input, output, title: tool, metadata: {}, time }, { deferred: "call" });
    return;
  }
  const decision = await decide(call, { tool, permission: tool, patterns: ["*"], input }, environment);
  const approved = decision.action === "allow";
  const reason = approved ? undefined : refusal(decision, tool);
  const state = approved
    ? ({ status: "completed", input, output: "Approved.", title: tool, metadata: {}, time } as const)
    : ({ status: "error", input, error: reason ?? "", time } as const);
  settle(state, { approval: { ...approval, approved, reason } });
}
