/** Deeper levels of an input count as equal: no model varies what it repeats down there. */
const maxDepth = 64;

/**
 * Whether two inputs ask for the same, however they are written: the order of fields and the form of a character do not
 * count, and numbers are numbers by now. Most inputs differ early, so this costs less than any text made of them.
 */
export function sameInput(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true;
  if (typeof one === "string") return typeof other === "string" && one.normalize("NFC") === other.normalize("NFC");
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  if (depth === maxDepth) return true;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => {
    const twin = Object.hasOwn(other, name) ? name : Object.keys(other).find((candidate) => candidate.normalize("NFC") === name.normalize("NFC"));
    return twin !== undefined && sameInput(one[name], other[twin], depth + 1);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
