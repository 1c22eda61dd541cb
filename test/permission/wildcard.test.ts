import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesWildcard } from "../../src/permission/wildcard.ts";
import { escapeWildcards } from "../../src/util/escape-wildcards.ts";

describe("matchesWildcard", () => {
  it.each([
    ["*", "", true],
    ["*", "anything at all\nover lines", true],
    ["src/*", "src/a/b.ts", true],
    ["src/*", "lib/a.ts", false],
    ["*.ts", "a.tsx", false],
    ["a*b*c", "aXXbYYbZZc", true],
    ["a*b*c", "aXXcYYb", false],
    ["git push*", "git push\nrm -rf /", true],
    ["?", "", false],
    ["?", "ab", false],
    ["a?c", "abc", true],
    ["?", "😀", true],
    ["??", "😀", false],
    ["*?", "😀", true],
    ["a.c", "abc", false],
    ["[ab]+(c)$^|\\", "[ab]+(c)$^|\\", true],
    ["bash", "bash2", false],
    ["bash", "xbash", false],
    ["bash", "Bash", false],
    ["", "", true],
    ["", "a", false],
    ["ls *", "ls", true],
    ["ls *", "ls -la", true],
    ["ls *", "lsof", false],
    ["ls *", "ls ", true],
    ["* *", "ls", true],
    ["mcp_*", "mcp_search", true],
  ])("%j against %j: %j", (pattern, text, expected) => {
    expect(matchesWildcard(pattern, text)).toBe(expected);
  });

  it("agrees with the plain definition, for any pattern and text", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "😀"), maxLength: 8 });
    const patterns = fc.string({ unit: fc.constantFrom("a", "b", " ", "*", "?", "😀"), maxLength: 8 });
    fc.assert(
      fc.property(patterns, letters, (pattern, text) => {
        expect(matchesWildcard(pattern, text)).toBe(
          byDefinition(Array.from(pattern), Array.from(text)) || (pattern.endsWith(" *") && byDefinition(Array.from(pattern.slice(0, -2)), Array.from(text))),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("matches every text literally, for any text without wildcards", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!/[*?]/.test(text));
        expect(matchesWildcard(text, text)).toBe(true);
        expect(matchesWildcard(text, `${text}x`)).toBe(false);
      }),
    );
  });

  it.each([
    ["a [*]", "a *", true],
    ["a [*]", "a b", false],
    ["[?]", "?", true],
    ["[?]", "x", false],
    ["[[]*]", "[*]", true],
    ["[[]*]", "[abc]", true],
    ["[*", "[abc", true],
    ["[]", "[]", true],
  ])("takes characters in brackets for themselves: %j matches %j: %s", (pattern, text, matches) => {
    expect(matchesWildcard(pattern, text)).toBe(matches);
  });

  it("matches an escaped text and no other, for any text", () => {
    const characters = fc.string({ unit: fc.constantFrom("*", "?", "[", "]", " ", "a", "\\", "\n"), maxLength: 8 });
    fc.assert(
      fc.property(characters, characters, (text, other) => {
        expect(matchesWildcard(escapeWildcards(text), text)).toBe(true);
        expect(matchesWildcard(escapeWildcards(text), other)).toBe(other === text);
      }),
      { numRuns: 3000 },
    );
  });

  it("is quick where a regular expression would take for ever", () => {
    expect(matchesWildcard(`${"*a".repeat(40)}*b`, "a".repeat(20_000))).toBe(false);
  });
});

function byDefinition(pattern: readonly string[], text: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === "*") return byDefinition(rest, text) || (text.length > 0 && byDefinition(pattern, text.slice(1)));
  return text.length > 0 && (first === "?" || first === text[0]) && byDefinition(rest, text.slice(1));
}
