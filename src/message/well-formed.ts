import type { JSONValue } from "./json.ts";

/** Cheap first look: in text without astral characters, which is most of it, the search stops here. */
const surrogate = /[\uD800-\uDFFF]/;
const loneSurrogate = /\p{Surrogate}/gu;

/**
 * The text with each lone surrogate replaced by U+FFFD: half a character makes a request body that no provider parses.
 * Anything but a string counts as empty text, because stored rows can be damaged.
 */
export function wellFormed(text: unknown): string {
  if (typeof text !== "string") return "";
  return surrogate.test(text) ? text.replace(loneSurrogate, "\uFFFD") : text;
}

/** The same for every string and key of a JSON value. Returns the value itself when nothing had to be replaced. */
export function wellFormedJSON<T extends JSONValue | undefined>(value: T): T {
  // The result has the shape of the input: only characters inside strings and keys change.
  return repair(value) as T;
}

function repair(value: JSONValue | undefined): JSONValue | undefined {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => repair(item) ?? null);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, inner]) => [wellFormed(key), repair(inner)] as const);
  const keys = Object.keys(value);
  const changed = entries.some(([key, inner], index) => key !== keys[index] || inner !== value[key]);
  return changed ? Object.fromEntries(entries) : value;
}
