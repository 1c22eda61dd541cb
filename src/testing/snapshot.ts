/**
 * A deep-frozen copy of plain data. Whatever equals `previous`, at the same place, is taken from there instead of being
 * copied: every request of a session repeats the one before it, and a thousand full copies would fill the memory.
 *
 * Key order counts as a difference, because it is one on the wire. Bytes and URLs are copied but cannot be frozen;
 * other class instances are kept as they are.
 */
export function snapshot<T>(value: T, previous?: unknown): T {
  // A copy has the shape of what it copies.
  return copy(value, previous) as T;
}

function copy(value: unknown, previous: unknown): unknown {
  if (Array.isArray(value)) return copyArray(value, Array.isArray(previous) ? previous : undefined);
  if (isPlainObject(value)) return copyObject(value, isPlainObject(previous) ? previous : undefined);
  if (value instanceof Uint8Array) return previous instanceof Uint8Array && sameBytes(value, previous) ? previous : value.slice();
  if (value instanceof URL) return new URL(value);
  return value;
}

function copyArray(value: readonly unknown[], previous: readonly unknown[] | undefined): readonly unknown[] {
  const items = value.map((item, index) => copy(item, previous?.[index]));
  const same = previous?.length === items.length && items.every((item, index) => Object.is(item, previous[index]));
  return same ? previous : Object.freeze(items);
}

function copyObject(value: Record<string, unknown>, previous: Record<string, unknown> = {}): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, inner]) => [key, copy(inner, previous[key])] as const);
  const keys = Object.keys(previous);
  // An empty object is never shared: for a key like "__proto__" `previous` may be what every object inherits.
  const sameSize = keys.length > 0 && keys.length === entries.length;
  const same = sameSize && entries.every(([key, inner], index) => key === keys[index] && Object.is(inner, previous[key]));
  return same ? previous : Object.freeze(Object.fromEntries(entries));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
