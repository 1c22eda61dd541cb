import type { JSONValue } from "../message/json.ts";
import type { ModelOutput, ModelOutputContent } from "../message/tool-state.ts";
import { bytesToBase64, toJSONSafe } from "../util/json-safe.ts";
import { wellFormed } from "../util/well-formed.ts";

/**
 * Brings what a `toModelOutput` returned into the form that is stored: all forms of the AI SDK, also its older ones; bytes
 * become base64, and what cannot be stored becomes a text that says so. Never throws.
 */
export function normalizeModelOutput(output: unknown): ModelOutput {
  try {
    return normalize(output);
  } catch {
    return { type: "text", value: "[unreadable]" };
  }
}

function normalize(output: unknown): ModelOutput {
  if (typeof output === "string") return { type: "text", value: wellFormed(output) };
  const { type, value, reason } = fieldsOf(output);
  switch (type) {
    case "text":
    case "error-text":
      return { type, value: toText(value) };
    case "json":
    case "error-json":
      return { type, value: toJSONSafe(value) };
    case "execution-denied":
      return { type, ...(reason !== undefined && { reason: toText(reason) }) };
    case "content":
      return { type, value: Array.isArray(value) ? value.map(normalizeContent) : [] };
    default:
      return { type: "json", value: toJSONSafe(output) };
  }
}

function normalizeContent(part: unknown): ModelOutputContent {
  const fields = fieldsOf(part);
  const { type } = fields;
  if (type === "text") return { type: "text", text: toText(fields["text"]) };
  const source = typeof type === "string" ? mediaSource(type, fields) : undefined;
  if (source === undefined) return { type: "text", text: `[content of type ${JSON.stringify(toJSONSafe(type))} left out]` };
  if (source.type === "text") return source;
  const { filename } = fields;
  return {
    type: "file",
    mediaType: toText(fields["mediaType"] ?? fields["mimeType"] ?? defaultMediaType(String(type))),
    ...(typeof filename === "string" && { filename: wellFormed(filename) }),
    data: source,
  };
}

type MediaSource = { type: "data"; data: string } | { type: "url"; url: string } | { type: "text"; text: string };

/** The SDK has had several spellings: `file` with tagged or bare data, `media`, `image-data`, `file-url` and so on. */
function mediaSource(type: string, fields: Record<string, unknown>): MediaSource | undefined {
  if (!/^(file|image|media)(-data|-url)?$/.test(type)) return undefined;
  const { data, url } = fields;
  const tagged = fieldsOf(data);
  if (tagged["type"] === "text") return { type: "text", text: toText(tagged["text"]) };
  const address = tagged["url"] ?? url ?? (data instanceof URL ? data : undefined);
  if (typeof address === "string" || address instanceof URL) return { type: "url", url: String(address) };
  const base64 = toBase64(tagged["data"] ?? data);
  return base64 === undefined ? undefined : { type: "data", data: base64 };
}

/** @returns base64 of bytes; a string is base64 already; `undefined` for anything else */
export function toBase64(data: unknown): string | undefined {
  if (typeof data === "string") return data;
  if (data instanceof Uint8Array) return bytesToBase64(data);
  if (data instanceof ArrayBuffer) return bytesToBase64(new Uint8Array(data));
  return undefined;
}

function defaultMediaType(type: string): string {
  return type.startsWith("image") ? "image/*" : "application/octet-stream";
}

function toText(value: unknown): string {
  const safe: JSONValue = toJSONSafe(value);
  return typeof safe === "string" ? safe : JSON.stringify(safe);
}

/** Named access to a value of unknown make. */
function fieldsOf(value: unknown): Record<string, unknown> {
  // Reading any property of any object is fine: each one is looked at before it is used.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
