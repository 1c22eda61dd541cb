import type { JSONObject } from "./json.ts";
import type { ModelProfile } from "./model-profile.ts";
import type { AssistantContent, ModelToolCall, ToolContent } from "./model-prompt.ts";
import type { ToolPart } from "./part.ts";
import type { ProjectionContext } from "./projection-context.ts";
import type { Medium } from "./medium.ts";
import { returnedMetadata, withOptions, type Origin } from "./project-origin.ts";
import { projectModelOutput, projectToolOutput } from "./project-tool-output.ts";
import { isSettled, type ModelOutput } from "./tool-state.ts";
import { wellFormed, wellFormedJSON } from "./well-formed.ts";

/** A call that wants a result, and that result. Both come from one row, so that neither can be without the other. */
export interface ClientCall {
  call: ModelToolCall;
  result: ToolContent;
  /** Media of the result that have no place in it. */
  moved: readonly Medium[];
}

export function projectClientCall(part: ToolPart, origin: Origin, context: ProjectionContext): ClientCall {
  const toolCallId = context.callIDs.assign(part.messageID, wellFormed(part.callID));
  const toolName = context.toolNames(part.tool);
  // The metadata of a provider's own call would turn this ordinary one into a provider's again.
  const metadata = part.providerExecuted === true ? undefined : returnedMetadata(part.metadata, origin);
  const { output, moved } = projectToolOutput(part.state, context);
  const input = inputOf(part);
  const takesText = part.textInput === true && origin.own && context.profile.textInput;
  return {
    call: withOptions({ type: "tool-call", toolCallId, toolName, input: takesText ? wellFormed(input["value"]) : input }, metadata),
    result: withOptions({ type: "tool-result", toolCallId, toolName, output }, metadata),
    moved,
  };
}

/** A call that the provider ran, as it stands inside the assistant message. */
export interface ProviderCall {
  inline: AssistantContent[];
  /** The answer to a request for leave. It stands where results stand. */
  approval?: ToolContent | undefined;
}

/** The call in its provider's own form, or `undefined` when only an ordinary call and result can say it. */
export function projectProviderCall(part: ToolPart, origin: Origin, context: ProjectionContext): ProviderCall | undefined {
  if (part.providerExecuted !== true || !origin.complete || !hasPlace(part, context.profile)) return undefined;
  if (part.deferred === "result") return projectDeferredResult(part, origin, context);

  const toolCallId = wellFormed(part.callID);
  if (!context.callIDs.reserve(toolCallId)) return undefined;
  const call: ModelToolCall = withOptions(
    { type: "tool-call", toolCallId, toolName: wellFormed(part.tool), input: inputOf(part), providerExecuted: true },
    returnedMetadata(part.metadata, origin),
  );
  if (part.approval !== undefined) return { inline: [call], approval: approvalOf(part.approval) };
  const output = storedOutput(part);
  if (output !== undefined) return { inline: [call, resultOf(part, output, origin, context)] };
  context.deferredCalls.add(toolCallId);
  return { inline: [call] };
}

/** Whether the wire has a place for the call as it stands: asked for, without its result yet, or with it. */
function hasPlace(part: ToolPart, { providerTools, providerApprovals }: ModelProfile): boolean {
  if (providerTools === "none") return false;
  if (part.approval !== undefined) return providerApprovals;
  // A result that the engine wrote itself, such as an interruption, is none that the provider would recognise.
  return storedOutput(part) !== undefined || (part.deferred === "call" && providerTools === "deferred");
}

/** Only where the call itself stands in this request: a window may start after it. */
function projectDeferredResult(part: ToolPart, origin: Origin, context: ProjectionContext): ProviderCall | undefined {
  const output = storedOutput(part);
  if (output === undefined || !context.deferredCalls.delete(part.callID)) return undefined;
  return { inline: [resultOf(part, output, origin, context)] };
}

function resultOf(part: ToolPart, stored: ModelOutput, origin: Origin, context: ProjectionContext): AssistantContent {
  const { output } = projectModelOutput(stored, context);
  return withOptions(
    { type: "tool-result", toolCallId: wellFormed(part.callID), toolName: wellFormed(part.tool), output },
    returnedMetadata(part.resultMetadata, origin),
  );
}

function storedOutput({ state }: ToolPart): ModelOutput | undefined {
  return isSettled(state) ? state.modelOutput : undefined;
}

/** Nothing while the request for leave has no answer. The provider knows its request by id and resumes the call itself. */
function approvalOf({ id, approved, reason }: NonNullable<ToolPart["approval"]>): ToolContent | undefined {
  if (approved === undefined) return undefined;
  return { type: "tool-approval-response", approvalId: wellFormed(id), approved, ...(reason !== undefined && { reason: wellFormed(reason) }) };
}

/** Providers take an object only; a model's broken arguments are stored as text in the error, not here. */
function inputOf(part: ToolPart): JSONObject {
  const input: unknown = part.state.input;
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? wellFormedJSON(part.state.input) : {};
}
