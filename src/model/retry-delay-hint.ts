import { fieldOf } from "../util/error-message.ts";
import type { ErrorFacts } from "./error-facts.ts";

/** Longest wait that timers take: 2^31 - 1 ms. A longer hint is cut to it, so that it is still one that asks for too much. */
const longestMs = 2_147_483_647;

/**
 * How long a provider asks to wait before the next try, in ms: from its headers, else from its body, else from its words.
 * Only what is finite and above 0 counts; whoever waits has the limits.
 *
 * @param now for a delay that is given as a date, in ms since 1970; without it dates do not count
 */
export function retryDelayHint(facts: ErrorFacts, now?: number): number | undefined {
  return first(facts.nodes, (node) => headersDelay(node, now)) ?? first(facts.nodes, bodyDelay) ?? first(facts.texts, textDelay);
}

function first<T>(values: readonly T[], read: (value: T) => number | undefined): number | undefined {
  for (const value of values) {
    const delay = read(value);
    if (delay !== undefined) return delay;
  }
  return undefined;
}

/** A number of ms that can be waited for. Rounded up: to be early is to be refused again. */
function delayOf(ms: number): number | undefined {
  return Number.isFinite(ms) && ms > 0 ? Math.min(Math.ceil(ms), longestMs) : undefined;
}

function headersDelay(node: object, now: number | undefined): number | undefined {
  const headers = readHeaders(fieldOf(node, "responseHeaders") ?? fieldOf(node, "headers"));
  return decimal(headers["retry-after-ms"], 1) ?? decimal(headers["retry-after"], 1000) ?? dateDelay(headers["retry-after"], now);
}

/** The two headers, whatever holds them: a record, a `Headers`, a `Map`, a list of pairs; names in any case. */
function readHeaders(headers: unknown): Partial<Record<string, string>> {
  const found: Partial<Record<string, string>> = {};
  if (typeof headers !== "object" || headers === null) return found;
  try {
    let count = 0;
    for (const [name, value] of Symbol.iterator in headers ? (headers as Iterable<[unknown, unknown]>) : Object.entries(headers)) {
      if ((count += 1) > maxHeaders) break;
      const key = String(name).toLowerCase();
      const text: unknown = Array.isArray(value) ? value[0] : value;
      if (key.startsWith("retry-after") && (typeof text === "string" || typeof text === "number")) found[key] ??= String(text).trim();
    }
  } catch {
    // No headers that can be read, such as an iterable of something else.
  }
  return found;
}

const maxHeaders = 500;

/** Digits alone: what else `Number` takes (`1e9`, `0x10`, nothing at all) is no delay. */
function decimal(text: string | undefined, unitMs: number): number | undefined {
  return text !== undefined && /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? delayOf(Number(text) * unitMs) : undefined;
}

/** An HTTP date, in each of its three forms, or an ISO one. */
function dateDelay(text: string | undefined, now: number | undefined): number | undefined {
  if (text === undefined || now === undefined || !/^(?:[A-Za-z]{3,9},? |\d{4}-\d\d-\d\dT)/.test(text) || text.length > 40) return undefined;
  // The oldest form names no zone and means GMT all the same.
  return delayOf(Date.parse(/^[A-Za-z]{3} .*\d$/.test(text) ? `${text} GMT` : text) - now);
}

/** Fields of bodies that are made for it, with the unit of a bare number. */
const delayFields: readonly (readonly [name: string, unitMs: number])[] = [
  ["retryDelay", 1000], // Google's RetryInfo: "7.5s"
  ["retry_after_ms", 1],
  ["retry_after", 1000], // gateways
  ["resets_in_seconds", 1000], // ChatGPT plans
];

function bodyDelay(node: object): number | undefined {
  return first(delayFields, ([name, unitMs]) => {
    const value = fieldOf(node, name);
    if (typeof value === "number") return delayOf(value * unitMs);
    return typeof value === "string" ? (decimal(value, unitMs) ?? durationOf(value.slice(0, maxDurationLength))) : undefined;
  });
}

/** OpenAI: "Please try again in 1.2s"; Groq: "in 7m12.5s"; Google: "Please retry in 12.3s."; Azure: "Please retry after 26 seconds." */
const spokenDelay = /(?:try again|retry|available|resets?) (?:in|after) (?=\d)/i;
const maxDurationLength = 60;

function textDelay(text: string): number | undefined {
  const match = spokenDelay.exec(text);
  if (match === null) return undefined;
  const start = match.index + match[0].length;
  return durationOf(text.slice(start, start + maxDurationLength));
}

const unitsMs: readonly (readonly [unit: RegExp, ms: number])[] = [
  [/^(?:ms|milliseconds?)$/i, 1],
  [/^(?:s|secs?|seconds?)$/i, 1000],
  [/^(?:m|mins?|minutes?)$/i, 60_000],
  [/^(?:h|hrs?|hours?)$/i, 3_600_000],
  [/^(?:d|days?)$/i, 86_400_000],
];

/** The duration that a text begins with, such as `7.5s`, `1h2m3s` or `2 minutes 5 seconds`. A number without a unit is none. */
function durationOf(text: string): number | undefined {
  let total = 0;
  const term = /[\s,]*(\d{1,15}(?:\.\d{1,15})?) ?([a-z]+)/iy;
  for (let match = term.exec(text); match !== null; match = term.exec(text)) {
    const [, amount, word = ""] = match;
    const unit = unitsMs.find(([pattern]) => pattern.test(word));
    if (unit === undefined) break;
    total += Number(amount) * unit[1];
  }
  return delayOf(total);
}
