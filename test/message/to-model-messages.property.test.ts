import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelProfile } from "../../src/message/model-profile.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import type { ModelMessage } from "../../src/message/model-prompt.ts";
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

/** Where nothing can be sent there are no messages, and so no request. */
function expectValid(messages: ModelMessage[], profile: ModelProfile): void {
  expect(validateModelMessages(messages, profile).filter(({ rule }) => messages.length > 0 || rule !== "empty-request")).toEqual([]);
}

describe("any history is a valid request", () => {
  it("for the models it was made with", () => {
    fc.assert(
      fc.property(anyHistory, anyModel, fc.boolean(), (history, model, stripMedia) => {
        expectValid(toModelMessages(history, model, { stripMedia }), profileFor(model));
      }),
      { numRuns: 1500 },
    );
  });

  it("for bare wire rules, known and invented ones", () => {
    fc.assert(
      fc.property(anyHistory, anyProfile, anyVariation, anyModel, (history, known, variation, model) => {
        expectValid(toModelMessages(history, known), known);
        const invented = { ...known, ...variation };
        expectValid(toModelMessages(history, invented, { model }), invented);
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
