/** A pattern that matches this text and no other; see `matchesWildcard`. */
export function escapeWildcards(text: string): string {
  // A bracket that is just text is escaped only where it would begin an escape.
  return text.replace(/[*?]|\[(?=\[\])/g, "[$&]");
}
