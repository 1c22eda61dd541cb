import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength, countLines, truncateText, type TextLimits } from "../../src/tools/truncate-text.ts";

const cut = (text: string, limits: TextLimits): string | undefined => truncateText(text, limits, ({ start, end }) => `[${start}-${end}]`)?.text;

describe("truncateText", () => {
  it("leaves alone what fits", () => {
    expect(cut("a\nb", { maxLines: 2, maxBytes: 3, maxChars: 3 })).toBeUndefined();
    expect(cut("x".repeat(1000), { maxLines: 1 })).toBeUndefined();
  });

  it.each([
    ["without a line end", "x".repeat(80_000)],
    ["with one", `${"x".repeat(80_000)}\n`],
    ["with a Windows one", `${"x".repeat(80_000)}\r\n`],
    ["of wide characters", "é漢😀".repeat(20_000)],
  ])("R168: keeps both ends of one line over the limit, %s", (_what, text) => {
    const kept = cut(text, { maxLines: 2000, maxBytes: 50_000 }) ?? "";
    expect(byteLength(kept)).toBeLessThanOrEqual(50_000);
    expect(byteLength(kept)).toBeGreaterThan(49_900);
    expect(kept.startsWith(text.slice(0, 1000)) && kept.endsWith(text.slice(-1000))).toBe(true);
    expect(kept.isWellFormed()).toBe(true);
  });

  it("counts lines as people do, and cuts between them where it can", () => {
    const lines = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join("");
    const kept = cut(lines, { maxLines: 20 }) ?? "";
    expect(countLines(kept)).toBeLessThanOrEqual(20);
    expect(kept).toMatch(/line 6\n\n\n\[.*\]\n\nline 9\d\n/s);
    expect(countLines("a\nb\n")).toBe(2);
    expect(countLines("")).toBe(0);
  });

  it("stays within any limits, well-formed, and names a gap that is one", () => {
    const text = fc.array(fc.oneof(fc.constantFrom("a", "\n", "\r\n", "é", "漢", "😀"), fc.string({ unit: "grapheme" })), { maxLength: 400 }).map((pieces) => pieces.join("").toWellFormed());
    const limits = fc.record({ maxLines: fc.integer({ min: 12, max: 60 }), maxBytes: fc.integer({ min: 60, max: 400 }), maxChars: fc.integer({ min: 60, max: 400 }) }, { requiredKeys: [] });
    fc.assert(
      fc.property(text, limits, (given, limit) => {
        let gap = { start: 0, end: 0 };
        const result = truncateText(given, limit, (left) => {
          gap = left;
          return `[${left.start}-${left.end}]`;
        });
        const whole = result?.text ?? given;
        expect(byteLength(whole)).toBeLessThanOrEqual(limit.maxBytes ?? Infinity);
        expect(whole.length).toBeLessThanOrEqual(limit.maxChars ?? Infinity);
        expect(countLines(whole)).toBeLessThanOrEqual(limit.maxLines ?? Infinity);
        expect(whole.isWellFormed()).toBe(true);
        expect(whole.trim() === "" && given.trim() !== "").toBe(false);
        if (result === undefined) return;
        expect(result.totals).toEqual({ chars: given.length, bytes: new TextEncoder().encode(given).length, lines: countLines(given) });
        expect(result.text).toBe(`${given.slice(0, gap.start)}\n\n[${gap.start}-${gap.end}]\n\n${given.slice(gap.end)}`);
      }),
      { numRuns: 2000 },
    );
  });
});
