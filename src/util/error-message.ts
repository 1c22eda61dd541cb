/** What a thrown value says. Never throws and never empty: foreign code throws anything, proxies and broken getters included. */
export function errorMessage(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : error;
    const text = typeof message === "string" ? message : String(message);
    return text === "" ? nameOf(error) : text;
  } catch {
    return "an error that cannot be read";
  }
}

function nameOf(error: unknown): string {
  const name: unknown = error instanceof Error ? error.name : "";
  return typeof name === "string" && name !== "" ? name : "an error without a message";
}

/** A field of any value, or `undefined` when it cannot be read. */
export function fieldOf(value: unknown, key: string): unknown {
  try {
    // Any object may be read by key; what comes back is unknown again.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  } catch {
    return undefined;
  }
}
