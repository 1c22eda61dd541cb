/**
 * The text up to `offset`, then `addition`. At the end, the usual case, the old text is not copied: engines keep such a
 * sum as two pieces until somebody reads it.
 */
export function spliceText(text: string, offset: number, addition: string): string {
  return offset === text.length ? text + addition : text.slice(0, offset) + addition;
}
