import { ThroughlineError, type ErrorCode } from "../errors.ts";
import type { MessageError, MessageErrorCode } from "./message-error.ts";
import { errorMessage, fieldOf } from "../util/error-message.ts";

/** Errors that say why a turn could not go on; every other one is about what the caller gave. */
const codes: Partial<Record<ErrorCode, MessageErrorCode>> = {
  storage: "storage",
  "lease-lost": "interrupted",
  "session-closed": "interrupted",
  "turn-interrupted": "interrupted",
};

/** An error of this library as stored data. One that a host threw in its place is `unknown`. */
export function describeOwnError(error: Error): MessageError {
  const code = ThroughlineError.isInstance(error) ? (codes[error.code] ?? "bad-request") : "unknown";
  return { name: String(fieldOf(error, "name")), message: errorMessage(error), code, retryable: false };
}
