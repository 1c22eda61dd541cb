/**
 * An id or name as PostgreSQL can keep it, which refuses NUL and lone surrogates. Nearly always the id itself; one that
 * needs it is kept as a JSON string, and so is one that looks like that.
 */
export function toKey(id: string): string {
  return id.startsWith('"') || id.includes("\0") || !id.isWellFormed() ? JSON.stringify(id) : id;
}

export function fromKey(key: string): string {
  return key.startsWith('"') ? String(JSON.parse(key)) : key;
}
