import { addBound, addCall, finishContent, orderAssistantContent, type AssistantContentOrder } from "./assistant-content.ts";
import type { FilePart } from "./file-part.ts";
import type { MessageErrorCode } from "./message-error.ts";
import type { AssistantMessage } from "./message.ts";
import type { AssistantContent, ToolContent, UserContent } from "./model-prompt.ts";
import type { CustomPart, Part, ReasoningPart, TextPart, ToolPart } from "./part.ts";
import type { ProjectionContext } from "./projection-context.ts";
import { describeMedium, mediumOfFile, type Medium } from "./medium.ts";
import { projectMedium } from "./project-media.ts";
import { cameToEnd, originOf, returnedMetadata, withOptions, type Origin } from "./project-origin.ts";
import { projectReasoning, projectReasoningFile } from "./project-reasoning.ts";
import { projectClientCall, projectProviderCall } from "./project-tool-call.ts";
import { textContent } from "./project-user.ts";
import { isBlank, wellFormed } from "./well-formed.ts";

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
  const shown = origin.ended ? parts : parts.filter((part) => part.type !== "tool" || !neverRan(part));
  return hasOneStep(shown) ? [projectStep(shown, origin, context)] : splitSteps(shown).map((step) => projectStep(step, origin, context));
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

/** Nearly always, so that the parts are looked at only. */
function hasOneStep(parts: readonly Part[]): boolean {
  let hasCall = false;
  for (const { type } of parts) {
    if (type === "tool") hasCall = true;
    else if (hasCall && type === "step-start") return false;
  }
  return true;
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

/** A step while its parts are added. */
interface OpenStep {
  order: AssistantContentOrder;
  results: ToolContent[];
  /** Media of results that have no place in them. */
  moved: Medium[];
  /** What the engine says, not the model. */
  notes: UserContent[];
}

function projectStep(parts: readonly Part[], origin: Origin, context: ProjectionContext): ProjectedStep {
  const step: OpenStep = { order: orderAssistantContent(context.profile.callsLast), results: [], moved: [], notes: [] };
  for (const part of parts) projectors.get(part.type)?.(step, part, origin, context);
  const { order, results, moved, notes } = step;
  const after = moved.length === 0 ? notes : [...attach(moved, context), ...notes];
  return { content: withSubstance(finishContent(order), context), results, after };
}

/** Content that only its provider knows is no message where roles alternate: the package leaves it out, and the place is empty. */
function withSubstance(content: AssistantContent[], { profile }: ProjectionContext): AssistantContent[] {
  return profile.alternation && content.every(({ type }) => type === "custom") ? [] : content;
}

/** Adds one part to a step. */
type Projector<P extends Part = Part> = (step: OpenStep, part: P, origin: Origin, context: ProjectionContext) => void;

/** By type. Sources are cited in the text already; the rest is for people and for the engine. A table, as V8 would compile one large switch again in each caller. */
const projectors: ReadonlyMap<string, Projector> = new Map(
  // The compiler cannot follow that each gets parts of its own type only.
  Object.entries({ text: addText, reasoning: addReasoning, file: addFile, custom: addCustom, tool: addToolCall }) as [string, Projector][],
);

function addText({ order, notes }: OpenStep, part: TextPart, origin: Origin, { profile }: ProjectionContext): void {
  if (part.ignored === true) return;
  const text = wellFormed(part.text);
  if (part.synthetic === true) {
    // The engine's word, not the model's.
    const note = textContent(text);
    if (note !== undefined) notes.push(note);
    return;
  }
  const metadata = returnedMetadata(part.metadata, origin);
  const isWanted = !isBlank(text) || (profile.blankText === "with-metadata" && metadata !== undefined);
  if (isWanted) order.content.push(withOptions({ type: "text", text }, metadata));
}

function addReasoning({ order }: OpenStep, part: ReasoningPart, origin: Origin, context: ProjectionContext): void {
  addContent(order, projectReasoning(part, origin, context));
}

function addFile({ order }: OpenStep, part: FilePart, origin: Origin, context: ProjectionContext): void {
  addContent(order, part.reasoning === true ? projectReasoningFile(part, origin, context) : projectFile(part, origin, context));
}

function addCustom({ order }: OpenStep, part: CustomPart, origin: Origin, { profile }: ProjectionContext): void {
  if (origin.complete && profile.customParts) addBound(order, withOptions({ type: "custom", kind: part.kind }, returnedMetadata(part.metadata, origin)));
}

function addToolCall({ order, results, moved }: OpenStep, part: ToolPart, origin: Origin, context: ProjectionContext): void {
  const native = projectProviderCall(part, origin, context);
  if (native !== undefined) {
    order.content.push(...native.inline);
    if (native.approval !== undefined) results.push(native.approval);
    return;
  }
  const client = projectClientCall(part, origin, context);
  addCall(order, client.call);
  results.push(client.result);
  if (client.moved.length > 0) moved.push(...client.moved);
}

/** Adds a text or reasoning, which its metadata bind to its place. */
function addContent(order: AssistantContentOrder, content: AssistantContent | undefined): void {
  if (content === undefined) return;
  const isBound = content.type !== "text" && content.type !== "file" && content.providerOptions !== undefined;
  if (isBound) addBound(order, content);
  else order.content.push(content);
}

function projectFile(part: FilePart, origin: Origin, context: ProjectionContext): AssistantContent {
  const medium = mediumOfFile(part);
  const file = context.stripMedia ? undefined : projectMedium(context.profile.assistantMedia, medium, context);
  if (file === undefined) return { type: "text", text: describeMedium(medium, "made by the model, not included") };
  return withOptions(file, returnedMetadata(part.metadata, origin));
}

/** Media of tool results that moved out of them. */
function attach(media: readonly Medium[], context: ProjectionContext): UserContent[] {
  const files = media.flatMap((medium) => projectMedium(context.profile.userMedia, medium, context) ?? []);
  return files.length === 0 ? [] : [{ type: "text", text: "[Media from the tool results above]" }, ...files];
}
