/** A `data:` URL of bytes, or of text that is base64 already. */
export function dataURL(mime: string, data: string | Uint8Array): string {
  return `data:${mime};base64,${typeof data === "string" ? data : toBase64(data)}`;
}

/** The base64 content of a `data:` URL, whichever way it is written; `undefined` for anything else. */
export function parseDataURL(url: string): { mime: string; base64: string } | undefined {
  const match = /^data:([^;,]*)((?:;[^;,]*)*),/i.exec(url);
  if (match === null) return undefined;
  const content = url.slice(match[0].length);
  const mime = match[1] === undefined || match[1] === "" ? "text/plain" : match[1];
  if (/;base64$/i.test(match[2] ?? "")) return { mime, base64: content };
  return { mime, base64: toBase64(new TextEncoder().encode(decodeURIComponent(content))) };
}

/** Bytes as base64, on any runtime. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // In pieces: a spread of a large array overflows the stack.
  for (let index = 0; index < bytes.length; index += 8192) binary += String.fromCharCode(...bytes.subarray(index, index + 8192));
  return btoa(binary);
}
