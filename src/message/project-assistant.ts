import { addBound, addCall, finishContent, type AssistantContentOrder } from "./assistant-content.ts";
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
  let step = openStep(context.profile.callsLast);
  const steps = [step];
  // By index, here and in what else looks at every part of a history: a cold start runs it before it is compiled.
  for (let index = 0; index < parts.length; index += 1) {
    const part = partAt(parts, index);
    if (part.type === "step-start" && step.hasCall) {
      // A step's results must come before what the next step says.
      step = openStep(context.profile.callsLast);
      steps.push(step);
    }
    projectors.get(part.type)?.(step, part, origin, context);
  }
  for (let index = 0; index < steps.length; index += 1) finishStep(steps[index] ?? step, context);
  return steps;
}

/** The list has the place: it is walked by its length. */
function partAt(parts: readonly Part[], index: number): Part {
  return parts[index] as Part;
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

/** A step while its parts are added. */
interface OpenStep extends ProjectedStep, AssistantContentOrder {
  hasCall: boolean;
  /** Media of results that have no place in them. */
  moved: Medium[];
}

function openStep(callsLast: boolean): OpenStep {
  return { content: [], calls: [], boundary: undefined, callsLast, hasCall: false, results: [], moved: [], after: [] };
}

function finishStep(step: OpenStep, context: ProjectionContext): void {
  finishContent(step);
  if (step.moved.length > 0) step.after = [...attach(step.moved, context), ...step.after];
  // Content that only its provider knows is no message where roles alternate: the package leaves it out, and the place is empty.
  if (context.profile.alternation && step.content.every(({ type }) => type === "custom")) step.content = [];
}

/** Adds one part to a step. */
type Projector<P extends Part = Part> = (step: OpenStep, part: P, origin: Origin, context: ProjectionContext) => void;

/** By type. Sources are cited in the text already; the rest is for people and for the engine. A table, as V8 would compile one large switch again in each caller. */
const projectors: ReadonlyMap<string, Projector> = new Map(
  // The compiler cannot follow that each gets parts of its own type only.
  Object.entries({ text: addText, reasoning: addReasoning, file: addFile, custom: addCustom, tool: addToolCall }) as [string, Projector][],
);

function addText({ content, after }: OpenStep, part: TextPart, origin: Origin, { profile }: ProjectionContext): void {
  if (part.ignored === true) return;
  const text = wellFormed(part.text);
  if (part.synthetic === true) {
    // The engine's word, not the model's.
    const note = textContent(text);
    if (note !== undefined) after.push(note);
    return;
  }
  const metadata = returnedMetadata(part.metadata, origin);
  const isWanted = !isBlank(text) || (profile.blankText === "with-metadata" && metadata !== undefined);
  if (isWanted) content.push(withOptions({ type: "text", text }, metadata));
}

function addReasoning(step: OpenStep, part: ReasoningPart, origin: Origin, context: ProjectionContext): void {
  addContent(step, projectReasoning(part, origin, context));
}

function addFile(step: OpenStep, part: FilePart, origin: Origin, context: ProjectionContext): void {
  addContent(step, part.reasoning === true ? projectReasoningFile(part, origin, context) : projectFile(part, origin, context));
}

function addCustom(step: OpenStep, part: CustomPart, origin: Origin, { profile }: ProjectionContext): void {
  if (origin.complete && profile.customParts) addBound(step, withOptions({ type: "custom", kind: part.kind }, returnedMetadata(part.metadata, origin)));
}

function addToolCall(step: OpenStep, part: ToolPart, origin: Origin, context: ProjectionContext): void {
  if (!origin.ended && neverRan(part)) return;
  step.hasCall = true;
  const native = projectProviderCall(part, origin, context);
  if (native !== undefined) {
    step.content.push(...native.inline);
    if (native.approval !== undefined) step.results.push(native.approval);
    return;
  }
  const client = projectClientCall(part, origin, context);
  addCall(step, client.call);
  step.results.push(client.result);
  if (client.moved.length > 0) step.moved.push(...client.moved);
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
