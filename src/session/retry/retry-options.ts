import { fields, milliseconds, positiveInteger, type OptionCheck } from "../../util/check-options.ts";

/** How often, and after what wait, a model call that failed is made again. */
export interface RetryOptions {
  /** Most attempts at one model call, the first one included; 1 means no retries. Default 5. */
  maxAttempts?: number | undefined;
  /** Wait before the second attempt, in ms; it doubles from attempt to attempt. Default 2,000. */
  baseDelayMs?: number | undefined;
  /** Longest wait before an attempt, in ms. A provider that asks for a longer one is not asked again. Default 30,000. */
  maxDelayMs?: number | undefined;
}

/** The options, completed. */
export interface RetrySettings {
  maxAttempts: number;
  baseDelayMs: number;
  maxDelayMs: number;
}

export const checkRetry: OptionCheck = fields<RetryOptions>({ maxAttempts: positiveInteger, baseDelayMs: milliseconds, maxDelayMs: milliseconds });
