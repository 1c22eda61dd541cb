import type { FilePart } from "./file-part.ts";
import type { AssistantContent } from "./model-prompt.ts";
import type { ReasoningPart } from "./part.ts";
import type { ProjectionContext } from "./projection-context.ts";
import { mediumOfFile, projectMedium } from "./project-media.ts";
import { returnMetadata, type Origin } from "./project-origin.ts";
import { wellFormed } from "./well-formed.ts";

/** Reasoning, in the form in which the called model takes it back: its own, as plain text, or not at all. */
export function projectReasoning(part: ReasoningPart, origin: Origin, { profile }: ProjectionContext): AssistantContent | undefined {
  const text = wellFormed(part.text);
  const metadata = returnMetadata(part.metadata, origin);
  const signed = metadata.providerOptions !== undefined;
  const returns = profile.ownReasoning === "any" ? origin.own : profile.ownReasoning === "signed" && signed;
  const isBlank = text.trim() === "";
  // Redacted reasoning has no text, only what its provider can read.
  if (returns && (signed || !isBlank)) return { type: "reasoning", text, ...metadata };
  return profile.foreignReasoning === "text" && !isBlank ? { type: "text", text } : undefined;
}

/** A medium that the model made while reasoning: of use to nobody but its origin. */
export function projectReasoningFile(part: FilePart, origin: Origin, { profile, stripMedia }: ProjectionContext): AssistantContent | undefined {
  if (!origin.complete || stripMedia) return undefined;
  const file = projectMedium(profile.assistantMedia, mediumOfFile(part));
  if (file?.data.type !== "data" && file?.data.type !== "url") return undefined;
  return { type: "reasoning-file", mediaType: file.mediaType, data: file.data, ...returnMetadata(part.metadata, origin) };
}
