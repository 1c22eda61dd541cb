import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { list } from "../util/check-options.ts";
import { checkProfile } from "./check-profile.ts";
import type { Finding } from "./finding.ts";
import type { ModelProfile } from "./model-profile.ts";
import { checkCalls } from "./validate-calls.ts";
import { checkContent } from "./validate-content.ts";
import { checkMediaTotals } from "./validate-media.ts";
import { checkOrder } from "./validate-order.ts";

/**
 * Checks a request against the wire rules of a provider: the grammar that `toModelMessages` writes, read by other eyes.
 * Use it in tests of your own request code; `strictModel` of `throughline/testing` runs it on every request.
 *
 * @param messages the messages without system text
 * @throws {InvalidArgumentError} the messages are no list, or the profile lacks a rule
 * @returns what the provider would refuse, in order of the messages; empty when the request is valid
 * @example
 * expect(validateModelMessages(messages, profileFor(model))).toEqual([])
 */
export function validateModelMessages(messages: readonly LanguageModelV4Message[], profile: ModelProfile): Finding[] {
  list(messages, "messages");
  checkProfile(profile, "profile");
  const findings: Finding[] = [];
  const report = (rule: Finding["rule"], index: number, message: string): void => {
    findings.push({ rule, index, message });
  };
  checkOrder(messages, profile, report);
  checkCalls(messages, profile, report);
  checkContent(messages, profile, report);
  checkMediaTotals(messages, profile, report);
  return findings.sort((a, b) => a.index - b.index);
}
