import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markCache } from "../../src/message/mark-cache.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { profileFor } from "../../src/message/profile-for.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { deepFreeze } from "../../src/util/deep-freeze.ts";
import { anyHistory, models } from "./projection-arbitraries.ts";

const { anthropic, bedrock } = modelProfiles;
const system = (content: string): LanguageModelV4Prompt[number] => ({ role: "system", content });
const say = (text: string, fields: object = {}): LanguageModelV4Prompt[number] => ({ role: "user", content: [{ type: "text", text }], ...fields });
const marked = (prompt: LanguageModelV4Prompt): boolean[] => prompt.map(({ providerOptions }) => providerOptions !== undefined);

describe("markCache", () => {
  it("marks the last system text and the last two messages", () => {
    const prompt = markCache([system("a"), system("b"), say("1"), say("2"), say("3")], anthropic.cacheMark);
    expect(marked(prompt)).toEqual([false, true, false, true, true]);
    expect(prompt.at(-1)?.providerOptions).toEqual({ anthropic: { cacheControl: { type: "ephemeral" } } });
  });

  it("marks what there is", () => {
    expect(marked(markCache([say("1")], anthropic.cacheMark))).toEqual([true]);
    expect(marked(markCache([system("a"), say("1")], anthropic.cacheMark))).toEqual([true, true]);
    expect(marked(markCache([system("a")], anthropic.cacheMark))).toEqual([true]);
    expect(markCache([], anthropic.cacheMark)).toEqual([]);
  });

  it("does so in the provider's own words", () => {
    expect(markCache([say("1")], bedrock.cacheMark)[0]?.providerOptions).toEqual({ bedrock: { cachePoint: { type: "default" } } });
    expect(Object.values(modelProfiles).flatMap(({ name, cacheMark }) => (cacheMark === undefined ? [] : [name]))).toEqual(["anthropic", "anthropicCloud", "bedrock"]);
  });

  it("keeps the options of the host, and leaves the marks to a host that sets its own", () => {
    const options = { providerOptions: { anthropic: { effort: "low" }, other: { a: 1 } } };
    expect(markCache([say("1", options)], anthropic.cacheMark)[0]?.providerOptions).toEqual({
      anthropic: { effort: "low", cacheControl: { type: "ephemeral" } },
      other: { a: 1 },
    });
    const own = [say("1", { providerOptions: { anthropic: { cacheControl: { type: "ephemeral", ttl: "1h" } } } }), say("2"), say("3")];
    expect(markCache(own, anthropic.cacheMark)).toBe(own);
  });

  it("changes nothing else of any request, and not the request itself", () => {
    fc.assert(
      fc.property(anyHistory, fc.constantFrom(...models), (history, model) => {
        const prompt: LanguageModelV4Prompt = [system("Be kind."), ...toModelMessages(history, model)];
        const before = JSON.stringify(deepFreeze(prompt));
        const after = markCache(prompt, profileFor(model).cacheMark);
        expect(JSON.stringify(prompt)).toBe(before);
        expect(JSON.stringify(after.map(({ providerOptions: _mark, ...message }) => message))).toBe(before);
      }),
      { numRuns: 200 },
    );
  });
});
