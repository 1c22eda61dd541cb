import type { FilePart } from "./file-part.ts";
import type { MediaRule } from "./model-profile.ts";
import type { ModelFile } from "./model-prompt.ts";
import type { ModelOutputContent } from "./tool-state.ts";
import { wellFormed } from "./well-formed.ts";

/** A medium on its way to the model. */
export interface Medium {
  mediaType: string;
  filename?: string | undefined;
  /** Absent when the stored content cannot be sent: a `file:` URL, an empty or a broken one. */
  data?: Extract<ModelFile["data"], { type: "data" | "url" }> | undefined;
}

/** Whether this file's content stands in a synthetic text part next to it: text files and directories. */
export function isGivenAsText(part: FilePart): boolean {
  return part.mime === "text/plain" || part.mime === "application/x-directory";
}

export function mediumOfFile(part: FilePart): Medium {
  return { mediaType: mediaTypeOf(part.mime), filename: part.filename, data: readURL(part.url) };
}

export function mediumOfOutput(item: Extract<ModelOutputContent, { type: "file" }>): Medium {
  const { data } = item;
  const inline = data.type === "data" ? readBase64(data.data) : readURL(data.url);
  return { mediaType: mediaTypeOf(item.mediaType), filename: item.filename, data: inline };
}

/** Whether a place with this rule takes the medium. */
export function acceptsMedium(rule: MediaRule, medium: Medium): boolean {
  if (medium.data === undefined) return false;
  const types = medium.data.type === "url" ? rule.urls : rule.inline;
  return types.some((type) => type === medium.mediaType || (type.endsWith("/*") && medium.mediaType.startsWith(type.slice(0, -1))));
}

/** The medium as a file part, or `undefined` when the place does not take it. */
export function projectMedium(rule: MediaRule, medium: Medium): ModelFile | undefined {
  const { data, mediaType, filename } = medium;
  if (data === undefined || !acceptsMedium(rule, medium)) return undefined;
  return { type: "file", mediaType, data, ...(filename !== undefined && { filename: wellFormed(filename) }) };
}

/** What stands in the medium's place: its type and name, and why it is not here. */
export function describeMedium(medium: Medium, remark: string): string {
  const name = medium.filename === undefined ? "" : ` "${wellFormed(medium.filename)}"`;
  return `[${medium.mediaType}${name}: ${remark}]`;
}

/** Parameters and case do not matter, and `image/jpg`, a common mistake, is refused where `image/jpeg` is taken. */
function mediaTypeOf(mime: unknown): string {
  const type = wellFormed(mime).split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "image/jpg") return "image/jpeg";
  return type === "" ? "application/octet-stream" : type;
}

const dataURL = /^data:[^,]*;base64,/i;

function readURL(url: unknown): Medium["data"] {
  const text = wellFormed(url);
  const prefix = dataURL.exec(text.slice(0, 300))?.[0];
  if (prefix !== undefined) return readBase64(text.slice(prefix.length));
  return /^https?:/i.test(text) && URL.canParse(text) ? { type: "url", url: new URL(text) } : undefined;
}

function readBase64(data: unknown): Medium["data"] {
  return typeof data === "string" && data !== "" ? { type: "data", data } : undefined;
}
