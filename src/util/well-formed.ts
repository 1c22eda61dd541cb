/** The text with each lone surrogate replaced by U+FFFD: one of them makes a whole request body invalid. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
