/** A copy of a value that is JSON already. */
export function jsonClone<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(jsonClone) as T; // an array of clones has the array's own type
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    // An own "__proto__" would otherwise set the prototype.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: jsonClone(inner), enumerable: true, configurable: true, writable: true });
    else copy[key] = jsonClone(inner);
  }
  return copy as T; // same keys, cloned values
}
