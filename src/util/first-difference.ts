/**
 * Where two JSON values first differ, in the order in which they are written: `[2].content[0].text`. The empty path stands
 * for the values themselves. What is the same object is not looked through.
 *
 * @returns `undefined` when both give the same JSON
 */
export function firstDifference(before: unknown, after: unknown): string | undefined {
  if (Object.is(before, after)) return undefined;
  if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) return differenceOfTrees(before, after);
  return typeof before === typeof after && String(before) === String(after) ? undefined : "";
}

function differenceOfTrees(before: object, after: object): string | undefined {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const step = (key: string): string => (Array.isArray(before) ? `[${key}]` : `.${key}`);
  for (const [index, [key, value]] of old.entries()) {
    const [newKey, newValue] = now[index] ?? [];
    if (newKey !== key) return step(key);
    const below = firstDifference(value, newValue);
    if (below !== undefined) return step(key) + below;
  }
  const added = now[old.length];
  return added && step(added[0]);
}

function isTree(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof URL);
}

/** Its fields as JSON has them: those without a value are left out. */
function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}
