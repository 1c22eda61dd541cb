/** Whether a signal is aborted by now. A function, as a check before an await says nothing about the time behind it. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
