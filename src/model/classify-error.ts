import { APICallError } from "@ai-sdk/provider";
import { ThroughlineError } from "../errors.ts";
import { describeOwnError } from "../message/describe-own-error.ts";
import type { MessageErrorCode } from "../message/message-error.ts";
import { errorFacts, type ErrorFacts } from "./error-facts.ts";
import { exhaustedTexts, failureTexts, genericCodes, limitCodes, notOverflowTexts, overflowTexts, quotaWords, refusalTexts, specificCodes } from "./error-rules.ts";
import { ModelTimeoutError } from "./model-timeout-error.ts";
import { retryDelayHint } from "./retry-delay-hint.ts";

/**
 * What kind of failure this is. One rule for whatever ends a model call: a thrown error, an error part of a stream, a body
 * of any form, a plain text. Structured facts go first (class, code, status), then texts, of which those that only look
 * like an overflow go before those that are one. The caller decides about aborts: only the session's own signal means that
 * somebody cancelled.
 *
 * @param now for a delay that is given as a date, in ms since 1970
 */
export function classifyError(error: unknown, now?: number, facts: ErrorFacts = errorFacts(error)): MessageErrorCode {
  try {
    return classifyOwn(error) ?? classify(facts, now) ?? (APICallError.isInstance(error) ? unansweredOrBroken(facts) : "unknown");
  } catch {
    // A proxy, for instance, whose every look throws.
    return "unknown";
  }
}

/** Whether the same call may succeed when it is made again. */
export function isRetryable(code: MessageErrorCode): boolean {
  return retryableCodes.has(code);
}

const retryableCodes: ReadonlySet<MessageErrorCode> = new Set<MessageErrorCode>(["empty", "network", "overloaded", "rate-limit", "timeout", "truncated-stream"]);

function classifyOwn(error: unknown): MessageErrorCode | undefined {
  if (error instanceof ModelTimeoutError) return "timeout";
  return ThroughlineError.isInstance(error) ? describeOwnError(error).code : undefined;
}

function classify(facts: ErrorFacts, now: number | undefined): MessageErrorCode | undefined {
  const { codes } = facts;
  // Also where it is called a rate limit, as Groq does: waiting makes no request smaller.
  if (facts.statusCode === 413) return "overflow";
  const specific = matchOne(specificCodes, codes);
  if (specific !== undefined) return specific;
  if (facts.statusCode === 429 || codes.some((code) => limitCodes.test(code))) return classifyLimit(facts, now);
  return classifyRefusal(facts, now) ?? classifyStatus(facts.statusCode) ?? classifyUnanswered(facts, now) ?? matchOne(genericCodes, codes);
}

/** A limit that is over in minutes is waited for; one of hours or days is an exhausted quota. By the hint, then by the texts. */
function classifyLimit(facts: ErrorFacts, now: number | undefined): MessageErrorCode {
  const hint = retryDelayHint(facts, now);
  if (hint !== undefined && hint <= longestRateLimitMs) return "rate-limit";
  const isExhausted = says(exhaustedTexts, facts) || (hint !== undefined && says(quotaWords, facts));
  return isExhausted ? "quota" : "rate-limit";
}

const longestRateLimitMs = 600_000;

/** What a request was refused for, in words. Of a status that says it all, or of a broken server, the same words mean something else. */
function classifyRefusal(facts: ErrorFacts, now: number | undefined): MessageErrorCode | undefined {
  const { statusCode = 0, texts } = facts;
  if (statusCode >= 400 && ![400, 403, 422].includes(statusCode)) return undefined;
  const other = matchOne(notOverflowTexts, texts);
  if (other === "rate-limit") return classifyLimit(facts, now);
  if (other !== undefined) return other;
  return overflowTexts.some((pattern) => says(pattern, facts)) ? "overflow" : matchOne(refusalTexts, texts);
}

function classifyStatus(statusCode: number | undefined): MessageErrorCode | undefined {
  if (statusCode === undefined || statusCode < 400) return undefined;
  return statuses[statusCode] ?? (statusCode >= 500 ? "overloaded" : "bad-request");
}

const statuses: Partial<Record<number, MessageErrorCode>> = {
  401: "auth",
  402: "quota",
  403: "auth",
  404: "not-found",
  408: "timeout",
  409: "overloaded", // The AI SDK takes a conflict as passing.
  410: "not-found",
  424: "overloaded", // Bedrock: the model failed.
  425: "overloaded",
  429: "rate-limit",
  498: "overloaded", // Groq: no capacity left for the flexible tier.
};

/** Failures without a status: only what they say is left. */
function classifyUnanswered(facts: ErrorFacts, now: number | undefined): MessageErrorCode | undefined {
  const code = matchOne(failureTexts, facts.texts);
  return code === "rate-limit" ? classifyLimit(facts, now) : code;
}

/** A call without a status never reached the provider. One that succeeded, and failed all the same, broke off or is no answer. */
function unansweredOrBroken(facts: ErrorFacts): MessageErrorCode {
  return facts.statusCode === undefined ? "network" : "truncated-stream";
}

function says(pattern: RegExp, { texts }: ErrorFacts): boolean {
  return texts.some((text) => pattern.test(text));
}

function matchOne(rules: readonly (readonly [MessageErrorCode, RegExp])[], values: readonly string[]): MessageErrorCode | undefined {
  return rules.find(([, pattern]) => values.some((value) => pattern.test(value)))?.[0];
}
