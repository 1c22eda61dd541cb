import { bytesToBase64 } from "./json-safe.ts";

/** A `data:` URL of bytes, or of text that is base64 already. */
export function dataURL(mime: string, data: string | Uint8Array): string {
  return `data:${mime};base64,${typeof data === "string" ? data : bytesToBase64(data)}`;
}
