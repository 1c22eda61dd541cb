import { wellFormed } from "./well-formed.ts";

/** What JSON can carry, with nothing undefined in it. */
export type JSONSafe = null | string | number | boolean | JSONSafe[] | { [key: string]: JSONSafe };

/** Deeper levels become a note: a stack overflow while storing a result would take the turn down. */
const maxDepth = 256;

/**
 * A JSON copy of any value whatever. It never throws, shares nothing with the original, and all its text is well-formed.
 *
 * `undefined`, functions and symbols are left out (`null` in lists); a bigint becomes its digits, a number that JSON does
 * not know its name, a date its ISO form, bytes base64, a map an object (or a list of pairs), a set a list, an error its
 * name, message and cause; a cycle, or what cannot be read, becomes a note in brackets.
 */
export function toJSONSafe(value: unknown): JSONSafe {
  return copyGuarded(() => value, []) ?? null;
}

/** Standard base64, with padding. */
export function bytesToBase64(bytes: Uint8Array): string {
  // Spreading all bytes at once would exceed the engine's limit of arguments.
  const chunkSize = 8192;
  let binary = "";
  for (let start = 0; start < bytes.length; start += chunkSize) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkSize));
  }
  return btoa(binary);
}

/** Getters, proxies and `toJSON` are foreign code: whatever they throw stays here. */
function copyGuarded(read: () => unknown, ancestors: readonly object[]): JSONSafe | undefined {
  try {
    return copy(read(), ancestors);
  } catch {
    return "[unreadable]";
  }
}

function copy(value: unknown, ancestors: readonly object[]): JSONSafe | undefined {
  switch (typeof value) {
    case "string":
      return wellFormed(value);
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return value.toString();
    case "object":
      return value === null ? null : copyObject(value, ancestors);
    default:
      return undefined;
  }
}

function copyObject(value: object, ancestors: readonly object[]): JSONSafe | undefined {
  if (ancestors.includes(value)) return "[circular]";
  if (ancestors.length >= maxDepth) return "[too deep]";
  const path = [...ancestors, value];
  if (Array.isArray(value)) return copyList(value, path);
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return copyBinary(value, path);
  if (value instanceof Map) return copyMap(value, path);
  if (value instanceof Set) return copyList([...value], path);
  if (value instanceof Error) return copyError(value, path);
  if (value instanceof RegExp) return String(value);
  if (hasJSONForm(value)) return copy(value.toJSON(), path);
  return copyEntries(Object.keys(value), (key) => Reflect.get(value, key), path);
}

function hasJSONForm(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function copyBinary(value: ArrayBuffer | ArrayBufferView, path: readonly object[]): JSONSafe {
  if (value instanceof ArrayBuffer) return bytesToBase64(new Uint8Array(value));
  // The typed arrays but this one hold numbers rather than bytes.
  return value instanceof Uint8Array ? bytesToBase64(value) : copyList(Object.values(value), path);
}

function copyList(values: readonly unknown[], path: readonly object[]): JSONSafe {
  // Array.from visits the holes of a sparse list, too.
  return Array.from(values, (inner) => copyGuarded(() => inner, path) ?? null);
}

function copyMap(map: ReadonlyMap<unknown, unknown>, path: readonly object[]): JSONSafe {
  const keys = [...map.keys()];
  if (!keys.every((key) => typeof key === "string")) return copyList([...map.entries()], path);
  return copyEntries(keys, (key) => map.get(key), path);
}

function copyError(error: Error, path: readonly object[]): JSONSafe {
  const named = ["name", "message", ...(error.cause === undefined ? [] : ["cause"])];
  const own = Object.keys(error).filter((key) => !named.includes(key));
  return copyEntries([...named, ...own], (key) => Reflect.get(error, key), path);
}

function copyEntries(keys: readonly string[], read: (key: string) => unknown, path: readonly object[]): JSONSafe {
  const entries: [string, JSONSafe][] = [];
  for (const key of keys) {
    // A copy by assignment would make this key the prototype of the copy.
    if (key === "__proto__") continue;
    const inner = copyGuarded(() => read(key), path);
    if (inner !== undefined) entries.push([wellFormed(key), inner]);
  }
  return Object.fromEntries(entries);
}
