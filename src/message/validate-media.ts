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
  if (data.type === "url") return;
  if (!isWhatItSays(mediaType, data.data)) report("media-content", `A medium of type ${mediaType} is empty, damaged or something else.`);
  if (byteLength(data.data) > (top === "image" ? limits.imageBytes : limits.documentBytes)) report("media-size", `A medium of type ${mediaType} is too large.`);
}

/** All media of the request together, and the text that documents need. */
export function checkMediaTotals(messages: readonly LanguageModelV4Message[], { mediaLimits, documentsNeedText }: ModelProfile, report: Report): void {
  const total = { count: 0, documents: 0, totalCharacters: 0 };
  messages.forEach((message, index) => {
    const before = { ...total };
    for (const { data, mediaType } of mediaOf(message)) {
      total.count += 1;
      if (isDocument(mediaType)) total.documents += 1;
      if (data.type === "data") total.totalCharacters += Math.ceil(byteLength(data.data) / 3) * 4;
    }
    for (const name of ["count", "documents", "totalCharacters"] as const) {
      const limit = mediaLimits[name];
      // Where the limit is passed, and once.
      if (before[name] > limit || total[name] <= limit) continue;
      report(name === "totalCharacters" ? "media-size" : "media-count", index, `The media come to more than the limit ${name}, ${limit}.`);
    }
    const { role, content } = message;
    if (!documentsNeedText || role !== "user" || content.some(({ type }) => type === "text")) return;
    if (content.some((part) => part.type === "file" && isDocument(part.mediaType))) report("document-without-text", index, "There is a document without a text.");
  });
}

function mediaOf({ role, content }: LanguageModelV4Message): MediaPart[] {
  if (role === "system") return [];
  return content.flatMap((part): MediaPart[] => {
    if (part.type === "file" || part.type === "reasoning-file") return [part];
    return part.type === "tool-result" && part.output.type === "content" ? part.output.value.filter((item) => item.type === "file") : [];
  });
}

function isDocument(mediaType: string): boolean {
  return !mediaType.startsWith("image/");
}

function byteLength(data: string | Uint8Array): number {
  return typeof data === "string" ? (data.replace(/=+$/, "").length * 3) / 4 : data.length;
}

/** First bytes, as the characters of the same codes. The size of a WEBP stands between its two marks. */
const signatures: Readonly<Record<string, RegExp>> = {
  // eslint-disable-next-line no-control-regex -- bytes, not text
  "image/png": /^\x89PNG\r\n\x1a\n/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/gif": /^GIF8/,
  "image/webp": /^RIFF[^]{4}WEBP/,
  "application/pdf": /^%PDF-/,
};

function isWhatItSays(mediaType: string, data: string | Uint8Array): boolean {
  if (data.length === 0) return false;
  if (typeof data === "string" && (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data))) return false;
  const head = typeof data === "string" ? atob(data.slice(0, 16)) : String.fromCharCode(...data.subarray(0, 12));
  return signatures[mediaType]?.test(head) ?? true;
}
