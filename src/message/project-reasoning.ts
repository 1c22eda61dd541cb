import type { FilePart } from "./file-part.ts";
import type { AssistantContent } from "./model-prompt.ts";
import type { ReasoningPart } from "./part.ts";
import type { ProjectionContext } from "./projection-context.ts";
import { mediumOfFile } from "./medium.ts";
import { acceptsMedium } from "./project-media.ts";
import { returnedMetadata, withOptions, type Origin } from "./project-origin.ts";
import { isBlank, wellFormed } from "./well-formed.ts";

/** Reasoning, in the form in which the called model takes it back: its own, as plain text, or not at all. */
export function projectReasoning(part: ReasoningPart, origin: Origin, { profile }: ProjectionContext): AssistantContent | undefined {
  const text = wellFormed(part.text);
  const metadata = returnedMetadata(part.metadata, origin);
  const signed = metadata !== undefined;
  const returns = profile.ownReasoning === "any" ? origin.own : profile.ownReasoning === "signed" && signed;
  const blank = isBlank(text);
  // Redacted reasoning has no text, only what its provider can read.
  if (returns && (signed || !blank)) return withOptions({ type: "reasoning", text }, metadata);
  return profile.foreignReasoning === "text" && !blank ? { type: "text", text } : undefined;
}

/** A medium that the model made while reasoning: of use to nobody but its origin. */
export function projectReasoningFile(part: FilePart, origin: Origin, { profile, media, stripMedia }: ProjectionContext): AssistantContent | undefined {
  if (!origin.complete || stripMedia) return undefined;
  const medium = mediumOfFile(part);
  const { mediaType, data } = medium;
  if (data === undefined || !acceptsMedium(profile.assistantMedia, medium, profile.mediaLimits)) return undefined;
  const content: AssistantContent = withOptions({ type: "reasoning-file", mediaType, data }, returnedMetadata(part.metadata, origin));
  media.add(content, medium);
  return content;
}
