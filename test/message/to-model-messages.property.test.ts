import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WithParts } from "../../src/message/message.ts";
import type { ModelProfile } from "../../src/message/model-profile.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import type { ModelMessage } from "../../src/message/model-prompt.ts";
import { profileFor } from "../../src/message/profile-for.ts";
import { createProjection } from "../../src/message/projection.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { deepFreeze } from "../../src/util/deep-freeze.ts";
import { anyHistory, damagedHistory, models } from "./projection-arbitraries.ts";

const anyModel = fc.constantFrom(...models);
const everyProfile = Object.values(modelProfiles);
const anyProfile = fc.constantFrom(...everyProfile);
/** So small that histories of a few messages reach them. */
const tightLimits = fc.record({ count: fc.nat(4), documents: fc.nat(2), imageBytes: fc.constantFrom(7, 1000), documentBytes: fc.constantFrom(7, 1000), totalCharacters: fc.constantFrom(12, 30, 1000) });
const anyVariation = fc.record({
  foreignReasoning: fc.constantFrom("drop" as const, "text" as const),
  ownReasoning: fc.constantFrom("drop" as const, "any" as const, "signed" as const),
  blankText: fc.constantFrom("refused" as const, "with-metadata" as const),
  alternation: fc.boolean(),
  trailingAssistant: fc.boolean(),
  userAfterToolResult: fc.boolean(),
  callsLast: fc.boolean(),
  textsJoined: fc.boolean(),
  documentsNeedText: fc.boolean(),
  mediaLimits: tightLimits,
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
      { numRuns: 1000 },
    );
  });

  it.each(everyProfile)("for the profile $name, whole or damaged", (profile) => {
    fc.assert(
      fc.property(fc.oneof(anyHistory, damagedHistory), anyModel, (history, model) => {
        expectValid(toModelMessages(history, profile, { model }), profile);
      }),
      { numRuns: 150 },
    );
  });

  it("for invented wire rules", () => {
    fc.assert(
      fc.property(anyHistory, anyProfile, anyVariation, anyModel, (history, known, variation, model) => {
        const invented = { ...known, ...variation };
        expectValid(toModelMessages(history, invented, { model }), invented);
      }),
      { numRuns: 1000 },
    );
  });
});

describe.each(everyProfile)("for the profile $name", (known) => {
  /** Half of the runs with limits that are reached. */
  const profiles = fc.oneof(fc.constant(known), tightLimits.map((mediaLimits): ModelProfile => ({ ...known, mediaLimits })));

  it("the same history gives the same messages, live and after a round trip through JSON; it is not changed", () => {
    fc.assert(
      fc.property(anyHistory, profiles, anyModel, (history, profile, model) => {
        deepFreeze(history);
        const live = JSON.stringify(toModelMessages(history, profile, { model }));
        expect(JSON.stringify(toModelMessages(history, profile, { model }))).toBe(live);
        // What a store does with rows; nothing in them is anything but JSON.
        const reopened = JSON.parse(JSON.stringify(history)) as WithParts[];
        expect(JSON.stringify(toModelMessages(reopened, profile, { model }))).toBe(live);
      }),
      { numRuns: 60 },
    );
  });

  it("a growing history gives, step by step, what all at once gives; each request begins with the one before", () => {
    fc.assert(
      fc.property(anyHistory, profiles, anyModel, (history, profile, model) => {
        const projection = createProjection(profile, { model });
        let before = { request: "", messages: "", count: 0 };
        history.forEach((message, index) => {
          const revision = projection.revision();
          projection.add(message);
          const request = projection.request();
          expect(request).toEqual(toModelMessages(history.slice(0, index + 1), profile, { model }));
          // The note that ends a request stays before the answer to it. The three brackets at the end close the request.
          const speaks = projection.messages.slice(before.count).some(({ role }) => role === "assistant");
          const prefix = speaks ? before.request : before.messages;
          if (revision === projection.revision()) expect(JSON.stringify(request).startsWith(prefix.slice(0, -3))).toBe(true);
          before = { request: JSON.stringify(request), messages: JSON.stringify(projection.messages), count: projection.messages.length };
        });
      }),
      { numRuns: 60 },
    );
  });
});

it("shares nothing of what it builds", () => {
  fc.assert(
    fc.property(anyHistory, anyModel, (history, model) => {
      for (const message of toModelMessages(history, model)) message.content.length = 0;
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
        info.role === "assistant" && info.summary !== true ? parts.filter((part) => part.type === "tool" && part.providerExecuted !== true && part.state.status !== "pending") : [],
      );
      const sent = messages.flatMap(({ role, content }) => (role === "tool" ? content : [])).filter((part) => part.type === "tool-result");
      expect(sent.length).toBeGreaterThanOrEqual(settled.length);
    }),
    { numRuns: 300 },
  );
});
