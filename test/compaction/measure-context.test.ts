import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMessageEstimator, estimateMessage } from "../../src/compaction/estimate-tokens.ts";
import { filterCompacted } from "../../src/compaction/filter-compacted.ts";
import { createContextMeter, measureContext, type NextRequest } from "../../src/compaction/measure-context.ts";
import type { WithParts } from "../../src/message/message.ts";
import { anyHistory } from "../message/projection-arbitraries.ts";
import { failed, model, otherModel } from "../message/projection-samples.ts";
import { History, tokensOfText, usage } from "./window-samples.ts";

const own = { providerID: model.provider, modelID: model.modelId };
const other = { providerID: otherModel.provider, modelID: otherModel.modelId };
const request: NextRequest = { model: own, limits: { context: 200_000, output: 8_000 }, overhead: 0 };
const measure = (history: History, more: Partial<NextRequest> = {}) => measureContext(history.entries, { ...request, ...more });

describe("the size of the next request", () => {
  it("R15, R177: is what was sent, cached or not, and what was answered", () => {
    expect(measure(new History().owed("hi").answer("a", "a", usage({ input: 10, write: 190_000, output: 500 }))).tokens).toBe(190_510);
    expect(measure(new History().owed("hi").answer("a", "a", usage({ input: 7, read: 9_000, write: 1_000 }))).tokens).toBe(10_007);
  });

  it("and the estimate of what came after it: results of its own calls, and newer messages", () => {
    const history = new History().owed("p").step("s", tokensOfText(5_000), usage({ input: 1_000, output: 100 })).owed("p2", tokensOfText(300));
    const { tokens, source } = measure(history);
    expect(source).toBe("usage");
    expect(tokens).toBeGreaterThan(1_100 + 5_300);
    expect(tokens).toBeLessThan((1_100 + 5_400) * 1.5);
  });

  it("is estimated before the first answer, with system text and tools", () => {
    const history = new History().owed("p", tokensOfText(1_000));
    expect(measure(history, { overhead: 500 })).toEqual({ tokens: 1_504, source: "estimate", correction: 1 });
  });

  it("is less by what was pruned since, where it was measured before that", () => {
    const history = new History().owed("p", tokensOfText(29_996)).answer("a", "a", usage({ input: 50_000 }));
    expect(measure(history, { freed: 20_000 })).toEqual({ tokens: 30_000, source: "usage", correction: 1 });
  });
});

describe("a usage that says nothing is left aside", () => {
  const grown = (fields: object): History => new History().owed("p", tokensOfText(20_000)).answer("a", "a", fields);

  it("R16: more than the window, for a request that was accepted", () => {
    const { tokens, source } = measure(grown(usage({ input: 100, read: 10_000_000 })), { limits: { context: 128_000, output: 8_000 } });
    expect(source).toBe("estimate");
    expect(tokens).toBeLessThan(21_000);
  });

  it.each([
    ["zero", usage({})],
    ["only of the answer", usage({ output: 100 })],
    ["absurdly small", usage({ input: 12, output: 100 })],
    ["no number", usage({ input: Number.NaN })],
    ["infinite", usage({ input: Number.POSITIVE_INFINITY })],
    ["missing", { tokens: undefined as never }],
    ["half missing", { tokens: { input: 0, output: 0 } as never }],
  ])("R18: %s", (_name, fields) => {
    for (const limits of [request.limits, undefined]) {
      const { tokens, source } = measure(grown(fields), { limits });
      expect(source).toBe("estimate");
      expect(tokens).toBeGreaterThan(20_000);
      expect(tokens).toBeLessThan(21_000);
    }
  });

  it.each([
    ["of a failed call", failed("network")],
    ["of a call that was cut", { finish: undefined }],
    ["of a summary call", { summary: true }],
    ["of another model", other],
  ])("%s", (_name, fields) => {
    expect(measure(grown({ ...usage({ input: 150_000 }), ...fields })).source).toBe("estimate");
  });

  it("and the one before it counts", () => {
    const history = new History().owed("p").answer("a1", "a", usage({ input: 5_000 })).owed("p2").answer("a2", tokensOfText(1_000), usage({ read: 9_999_999 }));
    const { tokens, source } = measure(history);
    expect(source).toBe("usage");
    expect(tokens).toBeLessThan(10_000);
  });

  it("R18: so that a threshold is reached before the window is exceeded", () => {
    const history = new History();
    for (let turn = 1; turn <= 20; turn += 1) {
      history.owed(`p${turn}`, tokensOfText(5_000)).answer(`a${turn}`, "a", usage(turn % 2 === 0 ? {} : { input: Number.NaN }));
      expect(measure(history, { limits: { context: 32_000, output: 4_000 } }).tokens).toBeGreaterThanOrEqual(turn * 5_000);
    }
  });
});

describe("behind a compaction", () => {
  const compacted = (): History =>
    new History().prompt("p1").answer("a1", "a", usage({ input: 150_000 })).prompt("p2").answer("a2", "a", usage({ input: 190_000 })).compact("c", { tail_start_id: "p2" }, usage({ input: 190_000 }));
  const measureView = async (history: History) => measureContext(await filterCompacted(history.newestFirst), request);

  it("what steps of the tail measured was the request before it", async () => {
    expect(await measureView(compacted().owed("p3"))).toMatchObject({ source: "estimate" });
    expect((await measureView(compacted().owed("p3"))).tokens).toBeLessThan(200);
  });

  it("new steps measure again", async () => {
    expect(await measureView(compacted().owed("p3").answer("a3", "a", usage({ input: 9_000 })))).toMatchObject({ source: "usage", tokens: 9_000 });
  });
});

describe("R32: an estimator that is off is corrected by what was measured", () => {
  it("where newer messages are estimated", () => {
    const history = new History().owed("p", tokensOfText(40_000)).step("s", tokensOfText(40_000), usage({ input: 56_000 }));
    const { tokens, correction } = measure(history);
    expect(correction).toBeCloseTo(1.4, 1);
    expect(tokens).toBeGreaterThan(56_000 + 40_000 * 1.35);
  });

  it("and where nothing of the called model is measured", () => {
    const history = new History().owed("p", tokensOfText(40_000)).answer("a", "a", { ...other, ...usage({ input: 56_000 }) });
    expect(measure(history)).toMatchObject({ source: "estimate" });
    expect(measure(history).tokens).toBeGreaterThan(40_000 * 1.35);
  });

  it("but not by what a provider adds to a small request, nor by a figure about something else", () => {
    expect(measure(new History().owed("hi").answer("a", "a", usage({ input: 400 }))).correction).toBeLessThan(1.25);
    expect(measure(new History().owed("hi").answer("a", "a", usage({ input: 190_000 }))).correction).toBe(1);
  });
});

it("a meter estimates only what is new", () => {
  const estimated: string[] = [];
  const meter = createContextMeter((entry) => {
    estimated.push(entry.info.id);
    return estimateMessage(entry);
  });
  const history = new History().prompt("p1").answer("a1").prompt("p2");
  meter.measure(history.entries, request);
  meter.measure(history.entries, request);
  meter.measure(history.answer("a2").entries, request);
  history.entries[1] = structuredClone(history.entries[1]) as WithParts;
  meter.measure(history.entries, request);
  expect(estimated).toEqual(["p1", "a1", "p2", "a2", "a1", "p2", "a2"]);
});

it("a meter measures what a new one would, however the window has changed", () => {
  const change = fc.record({ keep: fc.nat(8), drop: fc.nat(2), add: anyHistory });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), fc.constantFrom(own, other), (changes, called) => {
      const meter = createContextMeter(createMessageEstimator());
      let window: WithParts[] = [];
      for (const { keep, drop, add } of changes) {
        window = [...window.slice(0, keep), ...window.slice(keep + drop), ...add];
        const measured = meter.measure(window, { ...request, model: called });
        expect(measured).toEqual(measureContext(structuredClone(window), { ...request, model: called }));
        expect(Number.isSafeInteger(measured.tokens) && measured.tokens >= 0).toBe(true);
      }
    }),
    { numRuns: 80 },
  );
});
