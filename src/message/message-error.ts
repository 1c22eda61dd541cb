/**
 * What kind of failure ended a model call or a turn. Decided from structured facts (status, code, class), never from a
 * finish string.
 */
export type MessageErrorCode =
  | "aborted"
  | "auth"
  | "bad-request"
  | "content-filter"
  | "empty"
  | "interrupted"
  | "length"
  | "network"
  | "overflow"
  | "overloaded"
  | "quota"
  | "rate-limit"
  | "rejected"
  | "steps"
  | "storage"
  | "timeout"
  | "truncated-stream"
  | "unknown";

/** An error as stored data: never a class instance, so that it survives storage and processes. */
export interface MessageError {
  /** Name of the original error class, e.g. `AI_APICallError`. For people; programs use `code`. */
  name: string;
  /** What went wrong, in words. */
  message: string;
  code: MessageErrorCode;
  /** Whether the same call may succeed when it is made again. */
  retryable: boolean;
  /** HTTP status of the provider's answer. */
  statusCode?: number | undefined;
  /** The provider's answer, cut to 4,000 characters. */
  responseBody?: string | undefined;
}
