import type { ModelToolOutput } from "./model-prompt.ts";
import type { ProjectionContext } from "./projection-context.ts";
import { describeMedium, mediumOfFile, mediumOfOutput, type Medium } from "./medium.ts";
import { acceptsMedium, projectMedium } from "./project-media.ts";
import type { ModelOutput, ModelOutputContent, ToolState } from "./tool-state.ts";
import { cutOutput } from "./cut-output.ts";
import { isBlank, wellFormed, wellFormedJSON } from "./well-formed.ts";

const clearedOutput = "[Old tool result content cleared]";
const interruptedOutput = "[Tool execution was interrupted]";
const emptyOutput = "(no output)";
const emptyError = "The tool failed and said nothing about it.";

const noMedia: readonly Medium[] = [];

/** A call's result for the model. Media that have no place in it move to a user message after all results. */
export interface ProjectedOutput {
  output: ModelToolOutput;
  moved: readonly Medium[];
}

/** The one result of a call, whatever state the call is in. It is never empty: providers refuse that. */
export function projectToolOutput(state: ToolState | undefined, context: ProjectionContext): ProjectedOutput {
  const projected = wholeOutput(state, context);
  const { toolOutputMaxChars } = context;
  return toolOutputMaxChars === undefined ? projected : { output: cutOutput(projected.output, toolOutputMaxChars), moved: projected.moved };
}

function wholeOutput(state: ToolState | undefined, context: ProjectionContext): ProjectedOutput {
  switch (state?.status) {
    case "completed":
      if (state.time.compacted !== undefined) return withoutMedia({ type: "text", value: clearedOutput });
      if (state.modelOutput !== undefined) return projectModelOutput(state.modelOutput, context);
      if (state.attachments === undefined) return withoutMedia({ type: "text", value: orElse(state.output, emptyOutput) });
      return projectContent([wellFormed(state.output), ...state.attachments.map(mediumOfFile)], context);
    case "error":
      if (state.time.compacted !== undefined) return withoutMedia({ type: "error-text", value: clearedOutput });
      return projectModelOutput(state.modelOutput ?? { type: "error-text", value: state.error }, context);
    default:
      return withoutMedia({ type: "error-text", value: interruptedOutput });
  }
}

/** What a tool stored for the model, made sendable. */
export function projectModelOutput(output: ModelOutput, context: ProjectionContext): ProjectedOutput {
  switch (output.type) {
    case "text":
      return withoutMedia({ type: "text", value: orElse(output.value, emptyOutput) });
    case "error-text":
      return withoutMedia({ type: "error-text", value: orElse(output.value, emptyError) });
    case "json":
    case "error-json":
      return withoutMedia({ type: output.type, value: wellFormedJSON(output.value) });
    case "execution-denied": {
      const reason = wellFormed(output.reason);
      return withoutMedia({ type: "execution-denied", ...(!isBlank(reason) && { reason }) });
    }
    case "content":
      return projectContent(output.value.map(contentPiece), context);
    // A form that a newer version stored.
    default:
      return withoutMedia({ type: "text", value: emptyOutput });
  }
}

function contentPiece(item: ModelOutputContent): string | Medium {
  return item.type === "text" ? wellFormed(item.text) : mediumOfOutput(item);
}

type ContentItem = Extract<ModelToolOutput, { type: "content" }>["value"][number];

function projectContent(pieces: readonly (string | Medium)[], context: ProjectionContext): ProjectedOutput {
  const items: ContentItem[] = [];
  const moved: Medium[] = [];
  for (const piece of pieces) {
    const item = typeof piece === "string" ? textItem(piece) : mediumItem(piece, moved, context);
    if (item.type !== "text" || !isBlank(item.text)) items.push(item);
  }
  return { output: outputOf(items), moved };
}

/** Plain text where it is nothing else: providers without media in results would put the item list into the text, as JSON. */
export function outputOf(items: ContentItem[]): ModelToolOutput {
  const texts = items.flatMap((item) => (item.type === "text" ? [item.text] : []));
  return texts.length === items.length ? { type: "text", value: orElse(texts.join("\n"), emptyOutput) } : { type: "content", value: items };
}

function mediumItem(medium: Medium, moved: Medium[], context: ProjectionContext): ContentItem {
  if (context.stripMedia) return textItem(describeMedium(medium, "not included"));
  const { toolResultMedia, userMedia, mediaLimits } = context.profile;
  const file = projectMedium(toolResultMedia, medium, context);
  if (file !== undefined) return file;
  if (!acceptsMedium(userMedia, medium, mediaLimits)) return textItem(describeMedium(medium, "cannot be shown to this model"));
  moved.push(medium);
  return textItem(describeMedium(medium, "attached after the tool results"));
}

function textItem(text: string): ContentItem {
  return { type: "text", text };
}

function orElse(value: string, placeholder: string): string {
  const text = wellFormed(value);
  return isBlank(text) ? placeholder : text;
}

function withoutMedia(output: ModelToolOutput): ProjectedOutput {
  return { output, moved: noMedia };
}
