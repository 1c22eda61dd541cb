import { isImage, type Medium } from "./medium.ts";
import type { MediaLimits, MediaRule } from "./model-profile.ts";
import type { ModelFile } from "./model-prompt.ts";
import type { ProjectionContext } from "./projection-context.ts";
import { wellFormed } from "./well-formed.ts";

/** Whether a place with this rule takes the medium. */
export function acceptsMedium(rule: MediaRule, medium: Medium, limits: MediaLimits): boolean {
  const { data, mediaType } = medium;
  if (data === undefined) return false;
  if (data.type === "data" && !fits(data.data.length, mediaType, limits)) return false;
  const types = data.type === "url" ? rule.urls : rule.inline;
  return types.some((type) => type === mediaType || (type.endsWith("/*") && mediaType.startsWith(type.slice(0, -1))));
}

/** Four characters of base64 are three bytes. */
function fits(characters: number, mediaType: string, { imageBytes, documentBytes, totalCharacters }: MediaLimits): boolean {
  return characters <= totalCharacters && characters * 0.75 <= (isImage(mediaType) ? imageBytes : documentBytes);
}

/** The medium as a file part, or `undefined` when the place does not take it. */
export function projectMedium(rule: MediaRule, medium: Medium, { profile, media }: ProjectionContext): ModelFile | undefined {
  const { data, mediaType, filename } = medium;
  if (data === undefined || !acceptsMedium(rule, medium, profile.mediaLimits)) return undefined;
  const file: ModelFile = { type: "file", mediaType, data, ...(filename !== undefined && { filename: wellFormed(filename) }) };
  media.add(file, medium);
  return file;
}
