import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageError } from "throughline";
import { retryDelay } from "../../../src/session/retry/retry-policy.ts";

const settings = { maxAttempts: 20, baseDelayMs: 2_000, maxDelayMs: 30_000 };

function failure(fields: Partial<MessageError> = {}): MessageError {
  return { name: "Error", message: "busy", code: "overloaded", retryable: true, ...fields };
}

describe("the wait before a retry", () => {
  it("doubles up to the limit (R98)", () => {
    const waits = Array.from({ length: 12 }, (_, index) => retryDelay(failure(), { made: index + 1, empty: 0 }, settings, 1));
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, ...Array.from({ length: 8 }, () => 30_000)]);
  });

  it("is left to chance by up to half", () => {
    expect([0, 0.5, 1].map((random) => retryDelay(failure(), { made: 2, empty: 0 }, settings, random))).toEqual([2_000, 3_000, 4_000]);
  });

  it("is at least what the provider asks for, and a little more", () => {
    expect([0, 1].map((random) => retryDelay(failure({ retryAfterMs: 12_300 }), { made: 1, empty: 0 }, settings, random))).toEqual([12_300, 13_300]);
  });

  it("does not shrink by a hint that is too short: an overload of minutes is not asked every second", () => {
    expect(retryDelay(failure({ retryAfterMs: 10 }), { made: 4, empty: 0 }, settings, 1)).toBe(16_000);
  });

  it("is none where the provider asks for more than the limit", () => {
    expect(retryDelay(failure({ retryAfterMs: 30_001 }), { made: 1, empty: 0 }, settings, 0)).toBeUndefined();
    expect(retryDelay(failure({ retryAfterMs: 30_000 }), { made: 1, empty: 0 }, settings, 1)).toBe(30_000);
  });

  it("is none for what is not retryable, when the attempts are spent, and after three empty replies", () => {
    expect(retryDelay(failure({ code: "quota", retryable: false }), { made: 1, empty: 0 }, settings, 0)).toBeUndefined();
    expect(retryDelay(failure(), { made: 20, empty: 0 }, settings, 0)).toBeUndefined();
    expect([1, 2, 3].map((empty) => retryDelay(failure({ code: "empty" }), { made: empty, empty }, settings, 0) !== undefined)).toEqual([true, true, false]);
  });

  it("is for any error, settings and chance a whole number of ms that a timer takes, or none", () => {
    const ms = fc.double({ min: 0.001, max: 2_147_483_647, noNaN: true });
    fc.assert(
      fc.property(ms, ms, fc.option(ms, { nil: undefined }), fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (baseDelayMs, maxDelayMs, retryAfterMs, made, random) => {
        const delay = retryDelay(failure({ retryAfterMs }), { made, empty: 0 }, { maxAttempts: 10_000, baseDelayMs, maxDelayMs }, random);
        if (delay === undefined) return retryAfterMs !== undefined && retryAfterMs > maxDelayMs;
        return Number.isInteger(delay) && delay >= 1 && delay <= Math.ceil(maxDelayMs) && delay >= (retryAfterMs ?? 0);
      }),
    );
  });
});
