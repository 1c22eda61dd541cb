import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { InvalidArgumentError } from "../errors.ts";
import { checkProfile } from "../message/check-profile.ts";
import type { ModelProfile } from "../message/model-profile.ts";
import { profileFor } from "../message/profile-for.ts";
import { assertLanguageModel } from "../model/resolve-model.ts";
import { InvalidRequestError } from "./invalid-request-error.ts";
import { validateRequest, type RequestFinding } from "./validate-request.ts";

/** One broken rule in one refused call. */
export interface RequestViolation extends RequestFinding {
  /** Number of the call to the strict model, from 1. */
  call: number;
}

/** What {@link strictModel} adds to the model it wraps. */
export interface StrictModel {
  /** Every broken rule so far. Check that it is empty: whoever called the model may have caught the error. */
  readonly violations: readonly RequestViolation[];
}

/**
 * Wraps a model so that it refuses every request which breaks the wire rules of its provider: calls without results,
 * illegal ids, empty messages, system text in the middle, and so on. Such a call fails with {@link InvalidRequestError}
 * and does not reach the wrapped model.
 *
 * @param profile the rules. Default: those of the model, by `profileFor`
 * @throws {InvalidArgumentError} there is no model to wrap, or the profile lacks a rule
 * @returns the wrapped model's own type: `requests` and `assertDone()` of a scripted model stay reachable
 *
 * @example
 * const model = strictModel(scriptedModel([reply.text("hi")]), modelProfiles.anthropic)
 * const session = await createAgent({ model }).session()
 * await session.prompt("Hello")
 * expect(model.violations).toEqual([])
 *
 * @throws {InvalidArgumentError} no model object of specification v4, or a profile that lacks rules
 */
export function strictModel<M extends LanguageModelV4>(model: M, profile?: ModelProfile): M & StrictModel {
  if (typeof model === "string") throw new InvalidArgumentError("strictModel.model", "expected a model object; a model id has nothing to wrap.");
  assertLanguageModel(model, "strictModel.model");
  const rules = profile ?? profileFor(model);
  checkProfile(rules, "strictModel.profile");
  const violations: RequestViolation[] = [];
  let calls = 0;

  function check(options: LanguageModelV4CallOptions): void {
    const call = (calls += 1);
    const findings = validateRequest(options, rules);
    if (findings.length === 0) return;
    for (const finding of findings) violations.push({ call, ...finding });
    throw new InvalidRequestError(findings);
  }

  const strict: LanguageModelV4 & StrictModel = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doStream: async (options) => {
      check(options);
      return model.doStream(options);
    },
    doGenerate: async (options) => {
      check(options);
      return model.doGenerate(options);
    },
    violations,
  };
  // Inherits from the wrapped model, so that its further members are found; Object.create cannot know that type.
  return Object.create(model, Object.getOwnPropertyDescriptors(strict)) as M & StrictModel;
}
