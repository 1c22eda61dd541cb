import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import { ThroughlineError } from "../errors.ts";
import { describeOwnError } from "../message/describe-own-error.ts";
import type { MessageError, MessageErrorCode } from "../message/message-error.ts";
import { ModelTimeoutError } from "./model-timeout-error.ts";
import { saysOverflow } from "./overflow-texts.ts";
import { errorMessage, fieldOf } from "../util/error-message.ts";

const longestBody = 4000;

/**
 * A failure of a model call as stored data. Works by structured facts: the error's class, its HTTP status, its code. The
 * caller decides about aborts: only the session's own signal means that somebody cancelled.
 */
export function describeError(error: unknown): MessageError {
  try {
    return describe(error);
  } catch {
    // A proxy, for instance, whose every look throws.
    return { name: "Error", message: errorMessage(error), code: "unknown", retryable: false };
  }
}

function describe(error: unknown): MessageError {
  const statusCode = numberField(error, "statusCode") ?? numberField(error, "status");
  const responseBody = stringField(error, "responseBody");
  const code = classify(error, statusCode);
  return {
    name: (error instanceof Error ? stringField(error, "name") : undefined) ?? "Error",
    message: messageOf(error),
    code,
    retryable: isRetryable(error, code),
    ...(statusCode !== undefined && { statusCode }),
    ...(responseBody !== undefined && { responseBody: responseBody.slice(0, longestBody) }),
  };
}

/** What an unknown thrown value says, never empty. */
function messageOf(error: unknown): string {
  const own = typeof error === "string" ? error : stringField(error, "message");
  const message = own ?? stringField(fieldOf(error, "error"), "message");
  if (message !== undefined && message !== "") return message;
  if (error instanceof Error) return errorMessage(error);
  if (typeof error !== "object" || error === null) return `An error of type ${error === null ? "null" : typeof error} was thrown.`;
  return shown(error) ?? "An error that cannot be shown.";
}

function shown(error: object): string | undefined {
  try {
    // A `toJSON` may give nothing at all, which the types do not say.
    const text: string | undefined = JSON.stringify(error);
    return text;
  } catch {
    return undefined;
  }
}

function classify(error: unknown, statusCode: number | undefined): MessageErrorCode {
  if (error instanceof ModelTimeoutError) return "timeout";
  if (LoadAPIKeyError.isInstance(error)) return "auth";
  if (ThroughlineError.isInstance(error)) return describeOwnError(error).code;
  if (structuredCode(error).includes("insufficient_quota")) return "quota";
  if (isOverflow(error, statusCode)) return "overflow";
  if (statusCode !== undefined) return classifyStatus(statusCode);
  // A call without a status never reached the provider, or its answer broke off.
  if (APICallError.isInstance(error) || isConnectionFailure(error)) return "network";
  return "unknown";
}

function isOverflow(error: unknown, statusCode: number | undefined): boolean {
  if (structuredCode(error).includes("context_length_exceeded") || statusCode === 413) return true;
  // Only of a refused request: the same words in another failure mean something else.
  return statusCode === 400 && saysOverflow(`${messageOf(error)} ${stringField(error, "responseBody") ?? ""}`);
}

function classifyStatus(statusCode: number): MessageErrorCode {
  if (statusCode === 401 || statusCode === 403) return "auth";
  if (statusCode === 402) return "quota";
  if (statusCode === 408) return "timeout";
  if (statusCode === 429) return "rate-limit";
  if (statusCode >= 500) return "overloaded";
  if (statusCode >= 400) return "bad-request";
  return "unknown";
}

function isRetryable(error: unknown, code: MessageErrorCode): boolean {
  switch (code) {
    case "rate-limit":
    case "overloaded":
    case "network":
    case "timeout":
    case "empty":
    case "truncated-stream":
      return true;
    case "unknown":
      return fieldOf(error, "isRetryable") === true;
    case "aborted":
    case "auth":
    case "bad-request":
    case "content-filter":
    case "interrupted":
    case "length":
    case "overflow":
    case "quota":
    case "rejected":
    case "steps":
    case "storage":
      return false;
  }
}

/** The machine-readable code or type of a provider's error, wherever it keeps it. */
function structuredCode(error: unknown): string {
  const data = fieldOf(error, "data");
  const candidates = [error, fieldOf(error, "error"), data, fieldOf(data, "error")];
  return candidates.flatMap((candidate) => [stringField(candidate, "code"), stringField(candidate, "type")]).join(" ");
}

function isConnectionFailure(error: unknown): boolean {
  const code = stringField(error, "code") ?? stringField(fieldOf(error, "cause"), "code") ?? "";
  return ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET"].includes(code) || (error instanceof TypeError && stringField(error, "message") === "fetch failed");
}

function stringField(value: unknown, key: string): string | undefined {
  const field = fieldOf(value, key);
  return typeof field === "string" ? field : undefined;
}

function numberField(value: unknown, key: string): number | undefined {
  const field = fieldOf(value, key);
  return typeof field === "number" ? field : undefined;
}
