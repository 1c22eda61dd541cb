/** By how a file begins, the media that models can see. */
const beginnings: readonly (readonly [mime: string, begins: (bytes: Uint8Array) => boolean])[] = [
  ["image/png", (bytes) => startsWith(bytes, "\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (bytes) => startsWith(bytes, "\xff\xd8\xff")],
  ["image/gif", (bytes) => startsWith(bytes, "GIF8")],
  ["image/webp", (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBP")],
  ["application/pdf", (bytes) => startsWith(bytes, "%PDF-")],
];

/** The media type of an image or PDF; the content tells, not the name. `undefined` for anything else. */
export function sniffAttachment(bytes: Uint8Array): string | undefined {
  return beginnings.find(([, begins]) => begins(bytes))?.[0];
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Array.from(text).every((character, index) => bytes[index] === character.charCodeAt(0));
}
