/**
 * Whether the pattern matches the whole text. `*` is any sequence, also over newlines and `/`; `?` is exactly one
 * character; everything else is literal, and so are `[*]`, `[?]` and `[[]`, which stand for the character in the brackets
 * (see `escapeWildcards`). A pattern that ends in a space and `*` also matches without that tail: `ls *`
 * matches `ls` and `ls -la`, but not `lsof`.
 *
 * Not a regular expression: texts come from models, and no text may make the match take exponential time.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesExactly(pattern, text) || (pattern.endsWith(" *") && matchesExactly(pattern.slice(0, -2), text));
}

/**
 * Walks both once. After a mismatch only the newest star needs to take one more character: whatever an earlier star could
 * take instead, the newest can take as well.
 */
function matchesExactly(pattern: string, text: string): boolean {
  let patternIndex = 0;
  let textIndex = 0;
  let star = -1;
  let starText = 0;
  while (textIndex < text.length) {
    const literal = literalAt(pattern, patternIndex);
    const wanted = literal === undefined ? pattern[patternIndex] : undefined;
    if (wanted === "*") {
      star = patternIndex;
      starText = textIndex;
      patternIndex += 1;
    } else if (wanted === "?" || (literal ?? wanted) === text[textIndex]) {
      textIndex += wanted === "?" ? characterLength(text, textIndex) : 1;
      patternIndex += literal === undefined ? 1 : escapeLength;
    } else if (star !== -1) {
      starText += characterLength(text, starText);
      textIndex = starText;
      patternIndex = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[patternIndex] === "*") patternIndex += 1;
  return patternIndex === pattern.length;
}

/** Length of an escaped character. */
const escapeLength = 3;

/** The character that is escaped at this place. */
function literalAt(pattern: string, index: number): string | undefined {
  if (pattern[index] !== "[" || pattern[index + 2] !== "]") return undefined;
  const character = pattern[index + 1];
  return character === "*" || character === "?" || character === "[" ? character : undefined;
}

/** An emoji is one character to whoever writes a rule, and two code units to the engine. */
function characterLength(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}
