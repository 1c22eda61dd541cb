import { orderAssistantContent, type AssistantContentOrder } from "./assistant-content.ts";
import type { FilePart } from "./file-part.ts";
import type { MessageErrorCode } from "./message-error.ts";
import type { AssistantMessage } from "./message.ts";
import type { AssistantContent, ToolContent, UserContent } from "./model-prompt.ts";
import type { Part, TextPart, ToolPart } from "./part.ts";
import type { ProjectionContext } from "./projection-context.ts";
import { describeMedium, mediumOfFile, type Medium } from "./medium.ts";
import { projectMedium } from "./project-media.ts";
import { cameToEnd, originOf, returnMetadata, type Origin } from "./project-origin.ts";
import { projectReasoning, projectReasoningFile } from "./project-reasoning.ts";
import { projectClientCall, projectProviderCall } from "./project-tool-call.ts";
import { textContent } from "./project-user.ts";
import { wellFormed } from "./well-formed.ts";

/** One model call as messages: what the model said, the results of its calls, and what follows them in a user message. */
export interface ProjectedStep {
  content: AssistantContent[];
  results: ToolContent[];
  after: UserContent[];
}

/** What an assistant message shows the model: nothing, or one step (several in rows that another engine wrote). */
export function projectAssistant(message: AssistantMessage, parts: readonly Part[], context: ProjectionContext): ProjectedStep[] {
  if (!isWorthSending(message, parts)) return [];
  const origin = originOf(message, context.model);
  const shown = cameToEnd(message) ? parts : parts.filter((part) => part.type !== "tool" || !neverRan(part));
  return splitSteps(shown).map((step) => projectStep(step, origin, context));
}

/** Errors that end an answer without spoiling it: what was said until then was shown, and counts. */
const harmlessErrors: ReadonlySet<MessageErrorCode> = new Set(["aborted", "interrupted", "length"]);

/** A failed call is left out, unless one of its tools started: what has been done must stay known. */
function isWorthSending(message: AssistantMessage, parts: readonly Part[]): boolean {
  const { error } = message;
  // Half a summary stands for nothing: what it was to replace is still there.
  if (message.summary === true) return error === undefined && cameToEnd(message);
  if (error === undefined || harmlessErrors.has(error.code)) return true;
  return parts.some((part) => part.type === "tool" && part.providerExecuted !== true && part.state.status !== "pending" && !neverRan(part));
}

/**
 * Whether the call was closed without having run. In a step that was cut it is left out: nothing is lost with it, and a
 * provider may refuse it without the reasoning that led to it.
 */
function neverRan({ state }: ToolPart): boolean {
  return state.status === "error" && state.neverRan === true;
}

/** A step's results must come before what the next step says. */
function splitSteps(parts: readonly Part[]): Part[][] {
  let step: Part[] = [];
  const steps = [step];
  for (const part of parts) {
    if (part.type === "step-start" && step.some((earlier) => earlier.type === "tool")) {
      step = [];
      steps.push(step);
    }
    step.push(part);
  }
  return steps;
}

function projectStep(parts: readonly Part[], origin: Origin, context: ProjectionContext): ProjectedStep {
  const order = orderAssistantContent(context.profile.callsLast);
  const results: ToolContent[] = [];
  const moved: Medium[] = [];
  const notes: UserContent[] = [];
  for (const part of parts) {
    if (part.type === "tool") {
      addToolCall(part);
    } else if (part.type === "text" && part.synthetic === true) {
      // The engine's word, not the model's.
      const note = part.ignored === true ? undefined : textContent(wellFormed(part.text));
      if (note !== undefined) notes.push(note);
    } else {
      const content = projectContent(part, origin, context);
      if (content !== undefined) addContent(order, content);
    }
  }
  return { content: withSubstance(order.finish(), context), results, after: [...attach(moved, context), ...notes] };

  function addToolCall(part: ToolPart): void {
    const native = projectProviderCall(part, origin, context);
    if (native !== undefined) {
      for (const piece of native.inline) order.add(piece);
      if (native.approval !== undefined) results.push(native.approval);
      return;
    }
    const client = projectClientCall(part, origin, context);
    order.addCall(client.call);
    results.push(client.result);
    moved.push(...client.moved);
  }
}

/** Content that only its provider knows is no message where roles alternate: the package leaves it out, and the place is empty. */
function withSubstance(content: AssistantContent[], { profile }: ProjectionContext): AssistantContent[] {
  return profile.alternation && content.every(({ type }) => type === "custom") ? [] : content;
}

function addContent(order: AssistantContentOrder, content: AssistantContent): void {
  const isBound = content.type === "custom" || (content.type !== "text" && content.type !== "file" && content.providerOptions !== undefined);
  if (isBound) order.addBound(content);
  else order.add(content);
}

function projectContent(part: Part, origin: Origin, context: ProjectionContext): AssistantContent | undefined {
  switch (part.type) {
    case "text":
      return projectText(part, origin, context);
    case "reasoning":
      return projectReasoning(part, origin, context);
    case "file":
      return part.reasoning === true ? projectReasoningFile(part, origin, context) : projectFile(part, origin, context);
    case "custom": {
      if (!origin.complete || !context.profile.customParts) return undefined;
      return { type: "custom", kind: part.kind, ...returnMetadata(part.metadata, origin) };
    }
    // Sources are cited in the text already; the rest is for people and for the engine.
    default:
      return undefined;
  }
}

function projectText(part: TextPart, origin: Origin, { profile }: ProjectionContext): AssistantContent | undefined {
  if (part.ignored === true) return undefined;
  const text = wellFormed(part.text);
  const metadata = returnMetadata(part.metadata, origin);
  const isWanted = text.trim() !== "" || (profile.blankText === "with-metadata" && metadata.providerOptions !== undefined);
  return isWanted ? { type: "text", text, ...metadata } : undefined;
}

function projectFile(part: FilePart, origin: Origin, context: ProjectionContext): AssistantContent {
  const medium = mediumOfFile(part);
  const file = context.stripMedia ? undefined : projectMedium(context.profile.assistantMedia, medium, context);
  if (file === undefined) return { type: "text", text: describeMedium(medium, "made by the model, not included") };
  return Object.assign(file, returnMetadata(part.metadata, origin));
}

/** Media of tool results that moved out of them. */
function attach(media: readonly Medium[], context: ProjectionContext): UserContent[] {
  const files = media.flatMap((medium) => projectMedium(context.profile.userMedia, medium, context) ?? []);
  return files.length === 0 ? [] : [{ type: "text", text: "[Media from the tool results above]" }, ...files];
}
