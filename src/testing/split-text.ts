/**
 * Cuts a text into `count` pieces of about the same length, or into as few as keep each within `size` characters.
 * Characters stay whole: no piece ends in the middle of a surrogate pair.
 */
export function splitText(text: string, size: number, count?: number): string[] {
  if (text === "") return [];
  if (count === undefined && text.length <= size) return [text];
  const characters = Array.from(text);
  const pieces = Math.min(Math.max(1, count ?? Math.ceil(characters.length / size)), characters.length);
  return Array.from({ length: pieces }, (_, index) => {
    const start = Math.floor((index * characters.length) / pieces);
    return characters.slice(start, Math.floor(((index + 1) * characters.length) / pieces)).join("");
  });
}
