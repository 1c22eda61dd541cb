/**
 * Text that grows is kept in pieces, each a JSON string: so it may hold NUL and half a character, and a new piece touches no
 * old one.
 */
export interface Piece {
  /** Where it begins in the whole text, in UTF-16 code units. */
  start: number;
  length: number;
  text: string;
}

/** Large enough for few rows, small enough for a range of a large artifact to be read by itself. */
const longestPiece = 65_536;

export function toPieces(text: string, start: number): Piece[] {
  const pieces: Piece[] = [];
  for (let offset = 0; offset < text.length; offset += longestPiece) {
    const piece = text.slice(offset, offset + longestPiece);
    pieces.push({ start: start + offset, length: piece.length, text: JSON.stringify(piece) });
  }
  return pieces;
}

/**
 * The text of pieces that SQL has joined with commas.
 *
 * @throws {SyntaxError} {@link TypeError} a piece is damaged
 */
export function joinPieces(joined: string): string {
  const pieces = JSON.parse(`[${joined}]`) as unknown[]; // a list by its brackets
  if (pieces.length === 0 || pieces.some((piece) => typeof piece !== "string")) throw new TypeError("A piece of the text is no text.");
  return pieces.join("");
}
