import type { MessageError } from "../message/message-error.ts";
import { errorMessage, fieldOf } from "../util/error-message.ts";
import { wellFormed } from "../util/well-formed.ts";
import { classifyError, isRetryable } from "./classify-error.ts";
import { errorFacts, type ErrorFacts } from "./error-facts.ts";
import { retryDelayHint } from "./retry-delay-hint.ts";

/** Of what a provider sends, only the beginning is stored: a body may be a page of HTML, or megabytes. */
const longestText = 4000;

/**
 * A failure of a model call as stored data; `classifyError` says of which kind it is.
 *
 * @param now for a delay that the provider gives as a date, in ms since 1970
 */
export function describeError(error: unknown, now?: number): MessageError {
  const facts = errorFacts(error);
  const code = classifyError(error, now, facts);
  const described: MessageError = {
    name: nameOf(error),
    message: stored(messageOf(error, facts)),
    code,
    retryable: isRetryable(code) || (code === "unknown" && fieldOf(error, "isRetryable") === true),
  };
  if (facts.statusCode !== undefined) described.statusCode = facts.statusCode;
  const body = facts.nodes.map((node) => fieldOf(node, "responseBody")).find((value) => typeof value === "string");
  if (body !== undefined) described.responseBody = stored(body);
  const retryAfterMs = retryDelayHint(facts, now);
  if (retryAfterMs !== undefined) described.retryAfterMs = retryAfterMs;
  return described;
}

function stored(text: string): string {
  return wellFormed(text.slice(0, longestText));
}

function nameOf(error: unknown): string {
  const name = isError(error) ? fieldOf(error, "name") : undefined;
  return typeof name === "string" && name !== "" ? stored(name) : "Error";
}

function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    // A proxy that throws when it is looked at.
    return false;
  }
}

/** What an unknown thrown value says, never empty. */
function messageOf(error: unknown, { texts }: ErrorFacts): string {
  const [text] = texts;
  if (text !== undefined) return text;
  if (isError(error)) return errorMessage(error);
  if (typeof error !== "object" || error === null) return `An error of type ${error === null ? "null" : typeof error} was thrown.`;
  return shown(error) ?? "An error that cannot be shown.";
}

function shown(error: object): string | undefined {
  let budget = 1000;
  try {
    // A `toJSON` may give nothing at all, which the types do not say.
    const text: string | undefined = JSON.stringify(error, (_key, value: unknown) => {
      if ((budget -= 1) < 0) throw new RangeError("An object of this size says nothing.");
      return typeof value === "string" ? value.slice(0, longestText) : value;
    });
    return text;
  } catch {
    return undefined;
  }
}
