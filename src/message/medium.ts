import type { FilePart } from "./file-part.ts";
import type { ModelFile } from "./model-prompt.ts";
import { isSniffable, readBase64, sniffMediaType } from "./sniff-media.ts";
import type { ModelOutputContent } from "./tool-state.ts";
import { wellFormed } from "./well-formed.ts";

type MediumData = Extract<ModelFile["data"], { type: "data" }> & { data: string };

/** A medium on its way to the model. */
export interface Medium {
  mediaType: string;
  filename?: string | undefined;
  /** Absent when the stored content cannot be sent: a `file:` URL, an empty or a broken one. */
  data?: MediumData | Extract<ModelFile["data"], { type: "url" }> | undefined;
}

/** Whether this file's content stands in a synthetic text part next to it: text files and directories. */
export function isGivenAsText(part: FilePart): boolean {
  return part.mime === "text/plain" || part.mime === "application/x-directory";
}

export function mediumOfFile(part: FilePart): Medium {
  return toMedium(mediaTypeOf(part.mime), part.filename, readURL(part.url));
}

export function mediumOfOutput(item: Extract<ModelOutputContent, { type: "file" }>): Medium {
  const { data } = item;
  return toMedium(mediaTypeOf(item.mediaType), item.filename, data.type === "data" ? inline(data.data) : readURL(data.url));
}

/** What the content shows counts: a wrong label, or a broken image, makes a provider refuse the whole request, each time. */
function toMedium(declared: string, filename: string | undefined, data: Medium["data"]): Medium {
  if (data?.type !== "data") return { mediaType: declared, filename, data };
  const shown = sniffMediaType(data.data);
  if (shown === undefined && isSniffable(declared)) return { mediaType: declared, filename };
  return { mediaType: shown ?? declared, filename, data };
}

export function isImage(mediaType: string): boolean {
  return mediaType.startsWith("image/");
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
  if (prefix !== undefined) return inline(text.slice(prefix.length));
  return /^https?:/i.test(text) && URL.canParse(text) ? { type: "url", url: new URL(text) } : undefined;
}

function inline(content: unknown): Medium["data"] {
  const data = readBase64(content);
  return data === undefined ? undefined : { type: "data", data };
}
