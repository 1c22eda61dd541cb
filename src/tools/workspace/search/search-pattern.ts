import { errorMessage } from "../../../util/error-message.ts";
import { PathRefusedError } from "../paths/path-refused-error.ts";

/** A pattern that was compiled, for our own search and, where it means the same there, for ripgrep. */
export interface SearchPattern {
  regexp: RegExp;
  /** Absent when ripgrep would understand something else. */
  ripgrep?: { pattern: string; ignoreCase: boolean } | undefined;
}

/**
 * Compiles a regular expression. `(?i)` at its beginning, as other tools have it, takes upper for lower case.
 *
 * @throws {PathRefusedError} it is none
 */
export function compileSearch(pattern: string): SearchPattern {
  if (pattern === "") throw new PathRefusedError("pattern is empty, and would match every line. Give the text or the regular expression to look for.");
  const ignoreCase = pattern.startsWith("(?i)");
  const source = ignoreCase ? pattern.slice(4) : pattern;
  const strict = tryCompile(source, ignoreCase ? "iu" : "u");
  if (strict instanceof RegExp) {
    const translated = translate(source);
    return { regexp: strict, ripgrep: translated === undefined ? undefined : { pattern: translated, ignoreCase } };
  }
  // Escapes that are none, such as `\-`, are what a writer of other dialects means by them.
  const lenient = tryCompile(source, ignoreCase ? "i" : "");
  if (lenient instanceof RegExp) return { regexp: lenient };
  throw new PathRefusedError(`pattern is no regular expression (${lenient}). To look for a text with special characters put a backslash before each, e.g. "foo\\(".`);
}

function tryCompile(source: string, flags: string): RegExp | string {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return errorMessage(error);
  }
}

/** Classes as JavaScript has them, written out: in ripgrep they would be about all of Unicode. */
const classes: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: "\\t\\n\\x0b\\x0c\\r \\x{a0}\\x{feff}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}",
};

const plainEscape = /^[tnrfv^$\\.*+?()[\]{}|/-]$/;

/**
 * What ripgrep has not, or means otherwise: look-around and named groups, a class that begins with its closing bracket, and
 * within a class a bracket or a doubled operator.
 */
const foreignOutside = /^(\(\?[^:]|\[\^?\])/;
const foreignInClass = /^(\[|&&|--|~~)/;

/** The pattern in ripgrep's dialect, or `undefined` where that has no such thing. */
function translate(source: string): string | undefined {
  let translated = "";
  let inClass = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index] ?? "";
    if ((inClass ? foreignInClass : foreignOutside).test(source.slice(index, index + 3))) return undefined;
    if (character === "[") inClass = true;
    if (character === "]") inClass = false;
    const shown = character === "\\" ? translateEscape(source[(index += 1)] ?? "", inClass) : character;
    if (shown === undefined) return undefined;
    translated += shown;
  }
  return translated;
}

function translateEscape(letter: string, inClass: boolean): string | undefined {
  const members = classes[letter.toLowerCase()];
  if (members !== undefined && letter === letter.toLowerCase()) return inClass ? members : `[${members}]`;
  if (members !== undefined) return inClass ? undefined : `[^${members}]`;
  if (letter === "b" || letter === "B") return inClass ? undefined : `(?-u:\\${letter})`;
  if (letter === "/") return "/";
  return plainEscape.test(letter) ? `\\${letter}` : undefined;
}
