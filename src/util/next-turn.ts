/**
 * Calls back in the next turn of the event loop: when what runs now has ended, with all the promise jobs that follow from
 * it. This is about order and not about time, so no clock is asked.
 */
export function nextTurn(run: () => void): void {
  if (typeof setImmediate === "function") setImmediate(run);
  else setTimeout(run, 0);
}
