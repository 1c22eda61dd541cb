import type { LanguageModelV4FilePart, LanguageModelV4Message } from "@ai-sdk/provider";
import type { FindingRule, Report } from "./finding.ts";
import type { MediaLimits, MediaRule, ModelProfile } from "./model-profile.ts";

type MediaPart = Pick<LanguageModelV4FilePart, "data" | "mediaType">;

interface MediumCheck {
  limits: MediaLimits;
  report: (rule: FindingRule, message: string) => void;
}

/** One medium: its type in this place, its size, and whether it is what it is called. */
export function checkMedium({ data, mediaType }: MediaPart, media: MediaRule, { limits, report }: MediumCheck): void {
  // References and inline text are forms of the host's own making.
  if (data.type !== "data" && data.type !== "url") return;
  const [top = ""] = mediaType.split("/");
  const types = data.type === "url" ? media.urls : media.inline;
  if (!types.includes(mediaType) && !types.includes(`${top}/*`)) {
    report("media", `A medium of type ${mediaType} is not taken here${data.type === "url" ? " as a URL" : ""}.`);
  }
  if (data.type === "data") checkInline(data.data, mediaType, { limits, report });
}

function checkInline(data: string | Uint8Array, mediaType: string, { limits, report }: MediumCheck): void {
  const size = byteLength(data);
  if (size > (mediaType.startsWith("image/") ? limits.imageBytes : limits.documentBytes)) report("media-size", `A medium of type ${mediaType} is too large, with ${size} bytes.`);
  if (size === 0) report("media-content", `A medium of type ${mediaType} is empty.`);
  else if (!isWhatItSays(mediaType, data)) report("media-content", `A medium of type ${mediaType} has other content, or is damaged.`);
}

/** All media of the request together, and the text that documents need. */
export function checkMediaTotals(messages: readonly LanguageModelV4Message[], profile: ModelProfile, report: Report): void {
  const { count, documents, totalCharacters } = profile.mediaLimits;
  const all = messages.flatMap((message, index) => mediaOf(message).map((medium) => ({ medium, index })));
  const found = { media: all.length, documents: all.filter(({ medium }) => !medium.mediaType.startsWith("image/")).length };
  const last = all.at(-1)?.index ?? 0;
  if (found.media > count) report("media-count", last, `The request has ${found.media} media; ${profile.name} takes ${count}.`);
  if (found.documents > documents) report("media-count", last, `The request has ${found.documents} documents; ${profile.name} takes ${documents}.`);
  const characters = all.reduce((sum, { medium: { data } }) => sum + (data.type === "data" ? Math.ceil(byteLength(data.data) / 3) * 4 : 0), 0);
  if (characters > totalCharacters) report("media-size", last, `The media are ${characters} characters of base64 together; ${profile.name} takes ${totalCharacters}.`);
  if (!profile.documentsNeedText) return;
  messages.forEach((message, index) => {
    if (message.role !== "user" || message.content.some((part) => part.type === "text")) return;
    if (message.content.some((part) => part.type === "file" && !part.mediaType.startsWith("image/"))) {
      report("document-without-text", index, "The message has a document, but no text.");
    }
  });
}

function mediaOf(message: LanguageModelV4Message): MediaPart[] {
  if (message.role === "system") return [];
  return message.content.flatMap((part): MediaPart[] => {
    if (part.type === "file" || part.type === "reasoning-file") return [part];
    if (part.type !== "tool-result" || part.output.type !== "content") return [];
    return part.output.value.filter((item) => item.type === "file");
  });
}

function byteLength(data: string | Uint8Array): number {
  if (typeof data !== "string") return data.byteLength;
  const padding = data.endsWith("==") ? 2 : Number(data.endsWith("="));
  return Math.floor((data.length * 3) / 4) - padding;
}

/** First bytes, as the characters of the same codes. */
const signatures: Readonly<Record<string, (head: string) => boolean>> = {
  "image/png": (head) => head.startsWith("\x89PNG\r\n\x1a\n"),
  "image/jpeg": (head) => head.startsWith("\xff\xd8\xff"),
  "image/gif": (head) => head.startsWith("GIF8"),
  "image/webp": (head) => head.startsWith("RIFF") && head.slice(8, 12) === "WEBP",
  "application/pdf": (head) => head.startsWith("%PDF-"),
};

function isWhatItSays(mediaType: string, data: string | Uint8Array): boolean {
  if (typeof data === "string" && (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data))) return false;
  const head = typeof data === "string" ? atob(data.slice(0, 16)) : String.fromCharCode(...data.subarray(0, 12));
  return signatures[mediaType]?.(head) ?? true;
}
