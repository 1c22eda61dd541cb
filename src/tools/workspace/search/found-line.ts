/** A line that matches. */
export interface FoundLine {
  file: string;
  /** From 1. */
  line: number;
  text: string;
}

/** What a search in files found. */
export interface Findings {
  lines: FoundLine[];
  /** There were more. */
  isCut: boolean;
}

export interface SearchLimits {
  /** Most lines that are found. */
  maxLines: number;
  signal: AbortSignal;
}

/** A line as it is kept: a file may consist of one, of any length. */
export function shownLine(text: string, maxLength = 400): string {
  const line = text.replace(/\r?\n?$/, "");
  return line.length <= maxLength ? line : `${line.slice(0, maxLength).toWellFormed()}…`;
}
