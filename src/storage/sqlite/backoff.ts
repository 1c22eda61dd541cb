const longestMs = 100;

/**
 * How long to wait for a lock before the next try, in milliseconds: short at first, as transactions are; by chance, so
 * that two that wait do not meet again.
 *
 * @param attempt how often it was tried, from 1
 */
export function backoffMs(attempt: number): number {
  return Math.ceil(Math.min(longestMs, 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2));
}
