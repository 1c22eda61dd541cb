import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** The texts without which a part cannot become a row. A call without them is no rubbish to pass over, but a failure of its own. */
const neededTexts: Partial<Record<LanguageModelV4StreamPart["type"], readonly string[]>> = {
  "tool-input-start": ["id"],
  "tool-input-delta": ["id", "delta"],
  "tool-result": ["toolCallId", "toolName"],
  "tool-approval-request": ["toolCallId", "approvalId"],
  file: ["mediaType"],
  "reasoning-file": ["mediaType"],
  source: ["id"],
  custom: ["kind"],
};

/**
 * Whether a part of a stream has what its row needs. Providers are foreign code, and servers behind compatible ones send
 * what they like: what is stored must be sound all the same.
 */
export function isSoundPart(part: LanguageModelV4StreamPart): boolean {
  // First, since most parts are deltas.
  if (part.type === "text-delta" || part.type === "reasoning-delta") return typeof part.delta === "string";
  // The type says what the part should be.
  const fields: object = part;
  const needed = Object.hasOwn(neededTexts, part.type) ? neededTexts[part.type] : undefined;
  if (needed?.every((name) => typeof Reflect.get(fields, name) === "string") === false) return false;
  if (part.type === "custom") return part.kind.includes(".");
  return part.type === "file" || part.type === "reasoning-file" ? isFileData(part.data) : true;
}

function isFileData(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  const { type, url, data: content }: { type?: unknown; url?: unknown; data?: unknown } = data;
  if (type === "url") return typeof url === "string" || url instanceof URL;
  return type === "data" && (typeof content === "string" || content instanceof Uint8Array);
}
