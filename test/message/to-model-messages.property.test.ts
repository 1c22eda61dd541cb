import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { profileFor } from "../../src/message/profile-for.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { deepFreeze } from "../../src/util/deep-freeze.ts";
import { anyHistory, models } from "./projection-arbitraries.ts";

const anyModel = fc.constantFrom(...models);
const anyProfile = fc.constantFrom(...Object.values(modelProfiles));
const anyVariation = fc.record({
  foreignReasoning: fc.constantFrom("drop" as const, "text" as const),
  ownReasoning: fc.constantFrom("drop" as const, "any" as const, "signed" as const),
  blankText: fc.constantFrom("refused" as const, "with-metadata" as const),
  alternation: fc.boolean(),
  trailingAssistant: fc.boolean(),
  userAfterToolResult: fc.boolean(),
  providerTools: fc.constantFrom("none" as const, "with-result" as const, "deferred" as const),
  providerApprovals: fc.boolean(),
  customParts: fc.boolean(),
});

describe("any history is a valid request", () => {
  it("for the models it was made with", () => {
    fc.assert(
      fc.property(anyHistory, anyModel, fc.boolean(), (history, model, stripMedia) => {
        expect(validateModelMessages(toModelMessages(history, model, { stripMedia }), profileFor(model))).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  it("for bare wire rules, known and invented ones", () => {
    fc.assert(
      fc.property(anyHistory, anyProfile, anyVariation, anyModel, (history, known, variation, model) => {
        expect(validateModelMessages(toModelMessages(history, known), known)).toEqual([]);
        const invented = { ...known, ...variation };
        expect(validateModelMessages(toModelMessages(history, invented, { model }), invented)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

it("does not change the history, nor share what it builds: the same history gives the same messages", () => {
  fc.assert(
    fc.property(anyHistory, anyModel, (history, model) => {
      deepFreeze(history);
      const first = toModelMessages(history, model);
      expect(toModelMessages(history, model)).toEqual(first);
      expect(toModelMessages(structuredClone(history), model)).toEqual(first);
      for (const message of first) message.content.length = 0;
      expect(toModelMessages(history, model).every(({ content }) => content.length > 0)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it("loses no settled call of a message that is sent", () => {
  fc.assert(
    fc.property(anyHistory, anyModel, (history, model) => {
      const messages = toModelMessages(history, model);
      const settled = history.flatMap(({ info, parts }) =>
        info.role === "assistant" ? parts.filter((part) => part.type === "tool" && part.providerExecuted !== true && part.state.status !== "pending") : [],
      );
      const sent = messages.flatMap(({ role, content }) => (role === "tool" ? content : [])).filter((part) => part.type === "tool-result");
      expect(sent.length).toBeGreaterThanOrEqual(settled.length);
    }),
    { numRuns: 300 },
  );
});
