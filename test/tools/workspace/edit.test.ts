import { applyPatch } from "diff";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replaceText } from "../../../src/tools/workspace/edit/replace-text.ts";
import { unifiedDiff } from "../../../src/tools/workspace/edit/unified-diff.ts";

function replaced(text: string, oldString: string, newString: string, replaceAll = false): string {
  const outcome = replaceText(text, { oldString, newString, replaceAll });
  return outcome.ok ? `${outcome.matcher}: ${outcome.text}` : `not done: ${outcome.problem}`;
}

describe("one text is replaced by another", () => {
  test.each([
    ["exact", "a\nb\nc\n", "b", "B", "a\nB\nc\n"],
    ["exact", "a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n", "x\r\ny\r\nz\r\nc\r\n"],
    ["exact", "a\nb\r\nc\n", "c", "d\ne", "a\nb\r\nd\ne\n"],
    ["trailing-space", "a  \nb\t\nc\n", "a\nb\nc", "x", "x\n"],
    ["indentation", "if (x) {\n        go();\n        stop();\n}\n", "go();\nstop();", "go();\n  more();\nstop();", "if (x) {\n        go();\n          more();\n        stop();\n}\n"],
    ["indentation", "\tgo();\n\tstop();\n", "  go();\n  stop();\n", "  halt();\n", "\thalt();\n"],
    ["punctuation", "say \u201chello\u201d \u2013 now\n", 'say "hello" - now', 'say "bye"', 'say "bye"\n'],
    ["line-numbers", "one\ntwo\nthree\n", "12: one\n13: two", "12: ONE\n13: TWO", "ONE\nTWO\nthree\n"],
    ["escapes", 'print("a")\nprint("b")\n', 'print(\\"a\\")\\nprint', 'print(\\"c\\")\\nprint', 'print("c")\nprint("b")\n'],
    ["trimmed", "x = 1;\n", "\n\nx = 1;\n\n", "\n\nx = 2;\n\n", "x = 2;\n"],
    ["space", "call( a,  b )\n", "call( a, b )", "call(a, b)", "call(a, b)\n"],
  ])("%s: %j", (matcher, text, oldString, newString, expected) => {
    expect(replaced(text, oldString, newString)).toBe(`${matcher}: ${expected}`);
  });

  test("a place that is not the only one is not chosen, and all are when that is wanted", () => {
    expect(replaced("a\nb\na\n", "a", "c")).toMatch(/^not done: oldString stands in 2 places \(lines 1, 3\)/);
    expect(replaced("  a()\nb\n\ta()\n", "a()\n", "c()\n", true)).toBe("exact: c()\n".replace("c()", "  c()\nb\n\tc()"));
    expect(replaced("a\nb\na\n", "a", "c", true)).toBe("exact: c\nb\nc\n");
    expect(replaced(" x  y\n\tx   y\n", "x y", "z")).toMatch(/^not done: oldString stands in 2 places/);
  });

  test("what is not found says what is there", () => {
    expect(replaced("a\nb\n", "c", "d")).toMatch(/neither was its first line: "c"/);
    expect(replaced("a\nb\n", "b\nc", "d")).toMatch(/Its first line stands in line 2/);
    expect(replaced("a\n", "a", "a")).toMatch(/are the same/);
    expect(replaced("a\n", "  \n ", "x")).toMatch(/^not done/);
  });

  test("signs of a replacement pattern are text", () => {
    expect(replaced("a\n", "a", "$& $1 $$")).toBe("exact: $& $1 $$\n");
  });

  test("for any text what is not replaced stays, byte for byte", () => {
    const text = fc.array(fc.constantFrom("a", "b", " ", "\t", "\r\n", "\n", "\r", "é"), { maxLength: 30 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, text, (before, wanted, after) => {
        const outcome = replaceText(`${before}<${wanted}>${after}`, { oldString: `<${wanted}>`, newString: "X" });
        expect(outcome).toMatchObject({ ok: true, text: `${before}X${after}`, matcher: "exact" });
      }),
    );
  });
});

describe("a diff", () => {
  test("applied to the old text gives the new one, for any two texts", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n", "\n", "no end"), { maxLength: 25 }).map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { diff, additions, deletions } = unifiedDiff("f", before, after);
        if (before === after) expect(diff).toBe("");
        else expect(applyPatch(before, diff)).toBe(after);
        const changed = diff.split("\n").slice(2);
        expect([additions, deletions]).toEqual([changed.filter((line) => line.startsWith("+")).length, changed.filter((line) => line.startsWith("-")).length]);
      }),
      { numRuns: 1_000 },
    );
  });

  test("two texts that have nothing in common are compared in time", () => {
    const lines = (start: number): string => Array.from({ length: 10_000 }, (_, index) => `${start + index}\n`).join("");
    const started = performance.now();
    expect(unifiedDiff("f", lines(0), lines(50_000))).toMatchObject({ additions: 10_000, deletions: 10_000 });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
