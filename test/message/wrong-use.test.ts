import { describe, expect, it } from "vitest";
import { InvalidArgumentError, modelProfiles, profileFor, toModelMessages, validateModelMessages, type ProjectionTarget, type WithParts } from "throughline";

const asTarget = (value: unknown): ProjectionTarget => value as ProjectionTarget;
const asHistory = (value: unknown): WithParts[] => value as WithParts[];

describe("the wire rules are refused for", () => {
  it.each<[string, () => unknown, RegExp]>([
    ["a model id instead of a model", () => toModelMessages([], asTarget("claude")), /profileOrModel: expected a model object, .* or one of modelProfiles; got the text "claude"/],
    ["no model", () => toModelMessages([], asTarget(undefined)), /profileOrModel: expected a model object/],
    ["half a profile", () => toModelMessages([], asTarget({ alternation: true })), /profileOrModel: it lacks .*callID.*Spread one of modelProfiles/],
    ["no model, asked for directly", () => profileFor(undefined as never), /profileFor\.model: expected a model object/],
    ["a model without an id", () => profileFor({ provider: "openai" } as never), /profileFor\.model: expected a model object/],
    ["a history that is none", () => toModelMessages(asHistory(5), modelProfiles.default), /history: expected a list, got number/],
    ["messages of another form", () => toModelMessages(asHistory([{ role: "user", content: "Hi" }]), modelProfiles.default), /history\[0\]: expected a stored message, \{ info, parts \}/],
    ["messages that are no list", () => validateModelMessages(undefined as never, modelProfiles.default), /messages: expected a list/],
    ["a profile that is none", () => validateModelMessages([], {} as never), /profile: it lacks/],
  ])("%s", (_what, action, message) => {
    expect(action).toThrow(InvalidArgumentError);
    expect(action).toThrow(message);
  });
});
