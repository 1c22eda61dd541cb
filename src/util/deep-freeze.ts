/**
 * Freezes a plain value in place, with all it contains, and returns it. Rows go through here before they are stored and
 * published, so that no listener or caller can change history behind the writer's back.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  // A plain loop: this runs for every row of every commit, and a list of the values would be garbage each time.
  for (const key in value) {
    const inner = value[key];
    if (typeof inner === "object") deepFreeze(inner);
  }
  return value;
}
