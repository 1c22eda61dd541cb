import type { MessageError } from "../../message/message-error.ts";
import type { RetrySettings } from "./retry-options.ts";

/** Attempts at one model call so far: all of them, and those that ended well and said nothing. */
export interface AttemptCount {
  made: number;
  empty: number;
}

/** A model that says nothing does so again, mostly: after so many empty replies it is not asked again. */
const maxEmptyReplies = 3;

/** The share of a wait that is left to chance, so that many sessions do not come back at once. */
const jitter = 0.5;
/** Most that is added to a wait that the provider asks for. */
const hintJitterMs = 1_000;

/**
 * How long to wait before a failed call is made again, in ms; nothing when it is not made again. It doubles from attempt to
 * attempt. What the provider asks for is the least; where that is above the limit, to come back earlier would be refused.
 *
 * @param random from 0 to 1
 */
export function retryDelay(error: MessageError, { made, empty }: AttemptCount, { maxAttempts, baseDelayMs, maxDelayMs }: RetrySettings, random: number): number | undefined {
  const { retryable, code, retryAfterMs = 0 } = error;
  if (!retryable || made >= maxAttempts || (code === "empty" && empty >= maxEmptyReplies) || retryAfterMs > maxDelayMs) return undefined;
  const longest = Math.min(baseDelayMs * 2 ** (made - 1), maxDelayMs);
  const backoff = longest * (1 - jitter + jitter * random);
  const asked = retryAfterMs === 0 ? 0 : Math.min(retryAfterMs + hintJitterMs * random, maxDelayMs);
  return Math.max(1, Math.ceil(Math.max(backoff, asked)));
}
