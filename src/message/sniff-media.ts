/** How the base64 of a format begins. RIFF is WEBP's container: its size stands between the two marks. */
const beginnings: readonly [RegExp, string][] = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGOD/, "image/gif"],
  [/^UklGR[g-v].{5}XRUJQ/, "image/webp"],
  [/^JVBERi0/, "application/pdf"],
];

/** The media type that the content shows, whatever it was declared as; `undefined` when it is none of the known ones. */
export function sniffMediaType(base64: string): string | undefined {
  const head = base64.slice(0, 16);
  return beginnings.find(([beginning]) => beginning.test(head))?.[1];
}

/** Whether content of this type always shows it. */
export function isSniffable(mediaType: string): boolean {
  return beginnings.some(([, type]) => type === mediaType);
}

/** The base64 in the form that all providers take: standard alphabet, no line breaks, padded. `undefined` when it is none. */
export function readBase64(data: unknown): string | undefined {
  if (typeof data !== "string") return undefined;
  // Looks before it rewrites: a medium is large, and nearly always in order.
  const text = /[^A-Za-z0-9+/=]/.test(data) ? data.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/") : data;
  const body = text.endsWith("=") ? text.replace(/={1,2}$/, "") : text;
  if (body === "" || body.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(body)) return undefined;
  return body.padEnd(Math.ceil(body.length / 4) * 4, "=");
}
