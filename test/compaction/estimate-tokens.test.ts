import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMessageEstimator, estimateJSON, estimateMessage, estimateOverhead, estimateText } from "../../src/compaction/estimate-tokens.ts";
import type { Part } from "../../src/message/part.ts";
import { anyHistory } from "../message/projection-arbitraries.ts";
import { assistant, attachment, completed, errored, file, png, reasoning, running, stepFinish, text, tool, user, type Bare } from "../message/projection-samples.ts";

const total = (part: Bare<Part>): number => estimateMessage(assistant([part])).total;

describe("a text", () => {
  it.each([
    ["", 0],
    ["word", 1],
    ["words", 2],
    ["日本語", 3],
    ["👍", 2],
    ["a\uD83D", 2],
  ])("%j is about %i tokens", (value, tokens) => {
    expect(estimateText(value)).toBe(tokens);
  });

  it("that is none counts nothing", () => {
    for (const value of [undefined, null, 5, {}]) expect(estimateText(value)).toBe(0);
  });

  it("never counts less for more", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (start, end) => {
        expect(estimateText(start + end)).toBeGreaterThanOrEqual(estimateText(start));
      }),
    );
  });
});

describe("JSON", () => {
  it("is about as long as its text", () => {
    const schema = { type: "object", properties: { path: { type: "string", description: "Where the file is." }, lines: { type: ["number", "null"] } }, required: ["path"] };
    const tokens = JSON.stringify(schema).length / 4;
    expect(estimateJSON(schema)).toBeGreaterThan(tokens * 0.8);
    expect(estimateJSON(schema)).toBeLessThan(tokens * 1.3);
  });

  it("may be deep", () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(estimateJSON(value)).toBeGreaterThan(40_000);
  });
});

it("system text and tool definitions count, too", () => {
  expect(estimateOverhead("", [])).toBe(0);
  expect(estimateOverhead("word".repeat(100), [{ name: "read", inputSchema: { type: "object" } }])).toBeGreaterThan(105);
});

describe("a message", () => {
  it("counts what the model is shown", () => {
    const big = "word".repeat(1000);
    expect(total(text(big))).toBe(1004);
    expect(total(reasoning(big))).toBe(1004);
    expect(total(reasoning("", big))).toBeGreaterThan(1000);
    expect(total(tool("call", completed(big)))).toBeGreaterThan(1000);
    expect(total(tool("call", { ...errored(big), input: { text: big } }))).toBeGreaterThan(2000);
    expect(total(tool("call", completed("short", { modelOutput: { type: "json", value: [big] } })))).toBeGreaterThan(1000);
  });

  it("does not count what the model is not shown", () => {
    const big = "word".repeat(1000);
    expect(total(text(big, { ignored: true }))).toBe(0);
    expect(total({ type: "patch", hash: big, files: [big] })).toBe(0);
    expect(total(stepFinish)).toBe(0);
    expect(total(file("text/plain", `data:text/plain;base64,${big}`))).toBe(0);
    expect(total(tool("call", completed(big, { time: { start: 0, end: 1, compacted: 2 } })))).toBeLessThan(40);
    expect(total(tool("call", completed(big, { modelOutput: { type: "text", value: "short" } })))).toBeLessThan(40);
    expect(estimateMessage(user([text(big)], { state: "queued" })).total).toBe(0);
  });

  it("counts media by their kind, not by their base64 text", () => {
    const data = "A".repeat(4_000_000);
    expect(total(file("image/png", png))).toBe(1504);
    expect(total(file("image/png", `data:image/png;base64,${data}`))).toBe(1504);
    expect(total(file("application/pdf", "https://example.com/a.pdf"))).toBe(2004);
    expect(total(file("application/pdf", `data:application/pdf;base64,${data}`))).toBe(60_005);
    expect(total(file("text/csv", `data:text/csv;base64,${data}`))).toBeGreaterThan(700_000);
    expect(total(tool("call", completed("", { attachments: [attachment("image/png", png)] })))).toBeGreaterThan(1500);
  });

  it("tells results apart, which come after what the model said", () => {
    const result = completed("word".repeat(500));
    expect(estimateMessage(assistant([text("x"), tool("a", result), tool("b", running)])).results).toBe(525);
    expect(estimateMessage(assistant([tool("a", result, { providerExecuted: true })])).results).toBe(0);
  });
});

it("of any history is a whole number, and not less with a part more; an estimator gives the same", () => {
  const estimate = createMessageEstimator();
  fc.assert(
    fc.property(anyHistory, (history) => {
      for (const entry of history) {
        const { total, results } = estimateMessage(entry);
        expect(Number.isSafeInteger(total) && total >= results && results >= 0).toBe(true);
        expect(estimateMessage({ info: entry.info, parts: entry.parts.slice(1) }).total).toBeLessThanOrEqual(total);
        expect([estimate(entry), estimate(entry)]).toEqual([{ total, results }, { total, results }]);
      }
    }),
    { numRuns: 100 },
  );
});
