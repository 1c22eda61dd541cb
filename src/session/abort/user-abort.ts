/** The reason of an abort that somebody asked for. */
export function userAbort(): DOMException {
  return new DOMException("The turn was aborted.", "AbortError");
}
