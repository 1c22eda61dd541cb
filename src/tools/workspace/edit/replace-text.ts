import { lineEndingOf, withLineEnding } from "../files/text-content.ts";
import { withAnyIndentation, withAnySpace, withoutTrailingSpace } from "./by-lines.ts";
import { exactly } from "./exact.ts";
import { indexLines } from "./line-index.ts";
import type { Match, Matcher } from "./match.ts";
import { trimmed, unescaped, withPlainPunctuation, withoutLineNumbers } from "./tolerant.ts";

/** What is to be replaced, and by what. */
export interface Replacement {
  oldString: string;
  newString: string;
  /** Each place, instead of the only one. */
  replaceAll?: boolean | undefined;
}

/** The text after a replacement, or why nothing was replaced, in words for the model. */
export type ReplaceOutcome = { ok: true; text: string; count: number; matcher: string } | { ok: false; problem: string };

/**
 * From the strictest to the most tolerant. The first that finds anything decides: a place that is found by tolerance alone
 * never competes with one that matches better.
 */
const matchers: readonly (readonly [name: string, find: Matcher])[] = [
  ["exact", exactly],
  ["trailing-space", withoutTrailingSpace],
  ["indentation", withAnyIndentation],
  ["punctuation", withPlainPunctuation],
  ["line-numbers", withoutLineNumbers],
  ["escapes", unescaped],
  ["trimmed", trimmed],
  ["space", withAnySpace],
];

const maxPlacesShown = 5;

/**
 * Replaces one text by another within a text. A place that differs in line endings, spaces, indentation, typographic
 * punctuation, escapes or copied line numbers is found as well, when it is the only one. What is not replaced stays as it is,
 * byte for byte, and the replacement gets the line endings of the text.
 */
export function replaceText(text: string, { oldString, newString, replaceAll = false }: Replacement): ReplaceOutcome {
  if (oldString === newString) return { ok: false, problem: "oldString and newString are the same, so there is nothing to change." };
  const plain = new PlainText(text);
  const wanted = { text: plain.text, old: oldString.replaceAll("\r\n", "\n"), replacement: newString.replaceAll("\r\n", "\n") };
  for (const [matcher, find] of matchers) {
    const matches = find(wanted);
    if (matches.length === 0) continue;
    if (matches.length > 1 && !replaceAll) return { ok: false, problem: ambiguousText(plain.text, matches) };
    const ending = lineEndingOf(text);
    const changed = splice(text, matches.map((match) => ({ start: plain.place(match.start), end: plain.place(match.end), by: withLineEnding(match.replacement ?? wanted.replacement, ending) })));
    if (changed === text) return { ok: false, problem: "The text reads so already: nothing would change." };
    return { ok: true, text: changed, count: matches.length, matcher };
  }
  return { ok: false, problem: notFoundText(wanted.text, wanted.old) };
}

/** A text with `\n` alone as line ending, and the way back. */
class PlainText {
  readonly text: string;
  /** Where a return was left out, in places of the plain text. */
  readonly #returns: number[] = [];

  constructor(text: string) {
    this.text = text.replaceAll("\r\n", "\n");
    if (this.text.length === text.length) return;
    for (let index = text.indexOf("\r\n"); index !== -1; index = text.indexOf("\r\n", index + 2)) this.#returns.push(index - this.#returns.length);
  }

  /** The same place in the text as it was: before the return that belongs to the line ending there. */
  place(index: number): number {
    let low = 0;
    let high = this.#returns.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#returns[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return index + low;
  }
}

function splice(text: string, changes: readonly { start: number; end: number; by: string }[]): string {
  let changed = "";
  let from = 0;
  for (const { start, end, by } of changes) {
    changed += text.slice(from, start) + by;
    from = end;
  }
  return changed + text.slice(from);
}

function ambiguousText(text: string, matches: readonly Match[]): string {
  const { starts } = indexLines(text);
  const lines = matches.slice(0, maxPlacesShown).map(({ start }) => starts.findLastIndex((lineStart) => lineStart <= start) + 1);
  const more = matches.length > lines.length ? ", …" : "";
  return `oldString stands in ${matches.length} places (lines ${lines.join(", ")}${more}). Add lines around it until it is in one place only, or set replaceAll to true to change them all.`;
}

function notFoundText(text: string, old: string): string {
  const advice = "Read the file again, and copy the text to be replaced exactly, without the line numbers.";
  const first = old.split("\n").find((line) => line.trim() !== "")?.trim();
  if (first === undefined) return `oldString was not found. ${advice}`;
  const { lines } = indexLines(text);
  const index = lines.findIndex((line) => line.includes(first));
  if (index === -1) return `oldString was not found, and neither was its first line: ${JSON.stringify(first.slice(0, 200))}. ${advice}`;
  return `oldString was not found as a whole. Its first line stands in line ${index + 1}, so what follows there differs. ${advice}`;
}
