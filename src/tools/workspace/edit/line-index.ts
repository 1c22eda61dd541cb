/** A text by its lines, without their endings. */
export interface LineIndex {
  lines: readonly string[];
  /** Where each line starts in the text. */
  starts: readonly number[];
}

export function indexLines(text: string): LineIndex {
  const lines = text.split("\n");
  const starts: number[] = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  return { lines, starts };
}

/** The lines that are wanted: a last line ending belongs to the line before it. */
export function wantedLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}
