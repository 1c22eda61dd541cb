import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText } from "../../src/tools/clean-text.ts";

describe("cleanText", () => {
  it.each([
    ["colours", "\u001b[1;31mred\u001b[0m and \u001b[38;5;208morange\u001b[m", "red and orange"],
    ["a title and a link", "\u001b]0;title\u0007text \u001b]8;;https://x.example\u001b\\link\u001b]8;;\u001b\\", "text link"],
    ["cursor movements", "\u001b[2J\u001b[Htop\u001b7\u001b(B", "top"],
    ["one-byte sequences", "\u009b31mred\u009d0;t\u009c", "red"],
    ["a sequence that is cut", "text\u001b[38;5", "text"],
    ["NUL and bells", "a\u0000b\u0007c", "abc"],
    ["a progress bar", "10%\r50%\r100%\ndone", "100%\ndone"],
    ["one that clears its line", "Downloading 100 %\r\u001b[KDone", "Done"],
    ["one that leaves the rest", "abcdef\rXY", "XYcdef"],
    ["backspaces", "tpyo\b\b\bypo b\bbo\bol\bld\bd", "typo bold"],
    ["Windows line ends", "a\r\nb\r\n", "a\r\nb\r\n"],
    ["plain text", "tab\tand é漢😀", "tab\tand é漢😀"],
  ])("settles %s", (_what, given, left) => {
    expect(cleanText(given)).toBe(left);
  });

  it("R172: 10,000 overwrites are what is left of them, in no time", () => {
    const bar = Array.from({ length: 10_000 }, (_, step) => `\u001b[32m[${"#".repeat(step % 50)}] ${step}\u001b[0m`).join("\r");
    expect(cleanText(bar)).toContain("9999");
    expect(cleanText(bar).length).toBeLessThan(100);
  });

  it("leaves no control character in any text but those that end or indent lines, and is done after one time", () => {
    const text = fc.array(fc.oneof(fc.constantFrom("\u001b", "[", "]", "K", "m", "\r", "\n", "\b", "\u0000", "\u009b", "\u0007", "2"), fc.string()), { maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (given) => {
        const clean = cleanText(given);
        // eslint-disable-next-line no-control-regex -- control characters are what this is about
        expect(clean.replaceAll("\r\n", "\n").replace(/\r$/, "")).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(cleanText(clean)).toBe(clean);
      }),
      { numRuns: 2000 },
    );
  });
});
