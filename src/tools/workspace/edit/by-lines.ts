import { indexLines, wantedLines } from "./line-index.ts";
import type { Match, Matcher } from "./match.ts";

/** What a matcher by lines makes of the lines that it found. */
interface Adapting {
  /** The lines as they stand in the text. */
  found: readonly string[];
  /** The lines as they were wanted. */
  wanted: readonly string[];
  replacement: string;
}

/**
 * A matcher that compares whole lines, each brought into a form in which what does not matter is gone.
 *
 * @param adapt - makes the replacement fit the place
 */
function byLines(normalize: (line: string) => string, adapt?: (adapting: Adapting) => string): Matcher {
  return ({ text, old, replacement }) => {
    const wanted = wantedLines(old);
    const forms = wanted.map(normalize);
    // Lines without anything would match anywhere.
    if (forms.every((form) => form === "")) return [];
    const { lines, starts } = indexLines(text);
    const present = lines.map(normalize);
    const matches: Match[] = [];
    for (let index = 0; index + forms.length <= present.length; index += 1) {
      if (!forms.every((form, offset) => present[index + offset] === form)) continue;
      const found = lines.slice(index, index + forms.length);
      const last = index + forms.length - 1;
      const start = starts[index] ?? 0;
      const lineEnd = (starts[last] ?? 0) + (lines[last]?.length ?? 0);
      // The ending of the last line goes when it was asked for, and there is one.
      const end = old.endsWith("\n") && wanted.length > 0 && lineEnd < text.length ? lineEnd + 1 : lineEnd;
      matches.push({ start, end, replacement: adapt?.({ found, wanted, replacement }) });
      index = last;
    }
    return matches;
  };
}

/** Spaces at the ends of lines. */
export const withoutTrailingSpace: Matcher = byLines((line) => line.trimEnd());

/** Indentation: the replacement gets that of the place. */
export const withAnyIndentation: Matcher = byLines((line) => line.trim(), reindent);

/** Any run of spaces and tabs for any other; indentation likewise. */
export const withAnySpace: Matcher = byLines((line) => line.trim().replace(/\s+/g, " "), reindent);

function reindent({ found, wanted, replacement }: Adapting): string {
  const first = wanted.findIndex((line) => line.trim() !== "");
  const [meant, present] = [indentationOf(wanted[first]), indentationOf(found[first])];
  if (meant === present) return replacement;
  return replacement.split("\n").map((line) => (line.trim() === "" || !line.startsWith(meant) ? line : present + line.slice(meant.length))).join("\n");
}

function indentationOf(line: string | undefined): string {
  return /^[ \t]*/.exec(line ?? "")?.[0] ?? "";
}
