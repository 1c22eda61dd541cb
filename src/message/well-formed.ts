import { wellFormed as wellFormedText } from "../util/well-formed.ts";
import type { JSONValue } from "./json.ts";

/** Stored text with each lone surrogate replaced. Anything but a string counts as empty text: stored rows can be damaged. */
export function wellFormed(text: unknown): string {
  return typeof text === "string" ? wellFormedText(text) : "";
}

/** The same for every string and key of a JSON value. Returns the value itself when nothing has to be replaced. */
export function wellFormedJSON<T extends JSONValue | undefined>(value: T): T {
  // The result has the shape of the input: only characters inside strings and keys change.
  return isWellFormed(value) ? value : (repair(value) as T);
}

/** Looks without building anything: stored values are nearly always in order. */
function isWellFormed(value: JSONValue | undefined): boolean {
  if (typeof value === "string") return wellFormed(value) === value;
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  for (const key in value) {
    if (wellFormed(key) !== key || !isWellFormed(value[key])) return false;
  }
  return true;
}

function repair(value: JSONValue | undefined): JSONValue | undefined {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => repair(item) ?? null);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wellFormed(key), repair(inner)]));
}

/** Whether there is nothing to be seen in a text. Stops at the first character that is seen, and makes no other text. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
