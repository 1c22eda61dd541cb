import type { ModelRef } from "./model-ref.ts";

/**
 * What kind of failure ended a model call or a turn. Decided from structured facts (class, code, status) first, and from
 * known texts of providers where there are none.
 *
 * - `aborted`: somebody ended the turn
 * - `auth`: the provider refused the key, or there is none
 * - `bad-request`: the provider refused the request, or a tool cannot be used
 * - `budget`: the turn reached its budget
 * - `content-filter`: the provider's filter ended the answer
 * - `empty`: the model ended its answer without saying anything
 * - `interrupted`: the session was closed, or another process took it over
 * - `length`: the model's output limit cut the answer
 * - `network`: the provider was not reached, or the connection broke
 * - `not-found`: the provider does not have the model
 * - `overflow`: the conversation is too long for the model
 * - `overloaded`: the provider failed or has too much to do
 * - `quota`: the account has no credit left, or a limit of hours or days is used up
 * - `rate-limit`: too many requests
 * - `rejected`: a person refused a call
 * - `repetition`: the model went on repeating itself
 * - `steps`: the turn reached `maxSteps`
 * - `storage`: the storage failed for good
 * - `structured-output`: the model gave no answer in the form that the prompt wants
 * - `timeout`: the model took longer than a limit
 * - `truncated-stream`: the model's stream ended without a finish, or is damaged
 * - `unknown`: none of these
 */
export type MessageErrorCode =
  | "aborted"
  | "auth"
  | "bad-request"
  | "budget"
  | "content-filter"
  | "empty"
  | "interrupted"
  | "length"
  | "network"
  | "not-found"
  | "overflow"
  | "overloaded"
  | "quota"
  | "rate-limit"
  | "rejected"
  | "repetition"
  | "steps"
  | "storage"
  | "structured-output"
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
  /** How long the provider asks to wait before the next try, in ms: above 0, at most 2,147,483,647 (24 days). */
  retryAfterMs?: number | undefined;
  /** What each model failed with, in the order they were tried, when there were several (`fallbackModels`). */
  causes?: { model: ModelRef; error: ModelError }[] | undefined;
}

/** The failure of one model. */
export type ModelError = Omit<MessageError, "causes">;
