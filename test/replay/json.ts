/** A payload or a request body: nothing is known about it but that it is JSON. */
export type Json = Record<string, unknown>;

export function record(value: unknown): Json {
  // Objects and lists can be read by key; what comes back is unknown again.
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Arguments of a call: an empty text stands for an empty object, and those of a call that was cut stay text. */
export function parse(value: unknown): unknown {
  if (value === "") return {};
  try {
    return JSON.parse(text(value));
  } catch {
    return value;
  }
}
