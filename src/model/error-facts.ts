import { fieldOf } from "../util/error-message.ts";

/** What can be read from a failure, wherever its provider, its transport and its wrappers keep it. Outermost first. */
export interface ErrorFacts {
  /** Every object that belongs to the failure: the error, its cause, its body, what is nested in them. */
  nodes: readonly object[];
  /** Machine-readable codes, types and names, in snake case: `RateLimitError` and `rate-limit-error` are `rate_limit_error`. */
  codes: readonly string[];
  /** What it says in words, each cut to its beginning. A body that is JSON counts by its messages, not as a whole. */
  texts: readonly string[];
  /** HTTP status; one that means a failure wins over the 200 of the stream that it came in. */
  statusCode: number | undefined;
}

/** Names and codes. Providers use the same field for a number, which is a status if it looks like one. */
const codeFields = ["name", "code", "type", "__type", "status", "statusCode", "reason"] as const;

/**
 * Fields that hold texts, or objects with more of them, in the order in which they count. A list of what to read, never of
 * what to leave out: the request itself, which servers echo and errors carry, may say anything.
 */
const innerFields = ["message", "msg", "error", "lastError", "data", "cause", "responseBody", "body", "response", "detail", "details", "innererror", "metadata", "raw", "errors", "value", "text", "title"] as const;

const maxNodes = 64;
const maxTexts = 32;
const maxItems = 10;
const maxTextLength = 8000;
/** Parsing takes about 1 ms per 100 kB. What is longer is no error body: its beginning is read as text. */
const maxJSONLength = 256_000;

/** Reads a failure of any shape, in bounded time. Never throws. */
export function errorFacts(error: unknown): ErrorFacts {
  const reader = new FactReader();
  reader.read(lastAttempt(error));
  return reader;
}

/** A retry wrapper counts as what it gave up on: the failures before it were others. */
function lastAttempt(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 5; depth += 1) {
    const last = fieldOf(current, "lastError");
    if (last === undefined) break;
    current = last;
  }
  return current;
}

class FactReader implements ErrorFacts {
  readonly nodes: object[] = [];
  readonly codes: string[] = [];
  readonly texts: string[] = [];
  statusCode: number | undefined;
  readonly #seen = new Set<object>();
  readonly #queue: unknown[] = [];

  /** Breadth first: what the error itself says counts more than what is nested in it. */
  read(error: unknown): void {
    this.#queue.push(error);
    for (let next = 0; next < this.#queue.length && next < maxNodes * innerFields.length; next += 1) {
      const value = this.#queue[next];
      if (typeof value === "string") this.#readText(value);
      else if (typeof value === "object" && value !== null) this.#readObject(value);
    }
  }

  #readObject(value: object): void {
    if (this.#seen.has(value) || this.nodes.length >= maxNodes) return;
    this.#seen.add(value);
    if (isList(value)) {
      for (let index = 0; index < maxItems; index += 1) this.#queue.push(fieldOf(value, String(index)));
      return;
    }
    this.nodes.push(value);
    for (const field of codeFields) this.#readCode(fieldOf(value, field));
    for (const field of innerFields) this.#queue.push(fieldOf(value, field));
  }

  #readCode(code: unknown): void {
    if (typeof code === "number") this.#readStatus(code);
    if (typeof code !== "string" || code.length > 100) return;
    if (/^\d{3}$/.test(code)) this.#readStatus(Number(code));
    else this.codes.push(snakeCase(code));
  }

  #readStatus(status: number): void {
    if (!Number.isInteger(status) || status < 100 || status > 599) return;
    const isBetter = this.statusCode === undefined || (this.statusCode < 400 && status >= 400);
    if (isBetter) this.statusCode = status;
  }

  #readText(text: string): void {
    const start = text.length > maxJSONLength ? -1 : text.slice(0, 200).search(/[{[]/);
    const json = start === -1 ? undefined : parsed(text.slice(start));
    if (json !== undefined) this.#queue.push(json);
    const words = (json === undefined ? text.slice(0, maxTextLength) : text.slice(0, start)).trim();
    if (words === "" || this.texts.length >= maxTexts) return;
    this.texts.push(words);
    const status = /^[45]\d\d(?=[\s:,]|$)/.exec(words);
    if (status !== null) this.#readStatus(Number(status[0]));
  }
}

function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    // A revoked proxy.
    return false;
  }
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function snakeCase(code: string): string {
  return code
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
}
