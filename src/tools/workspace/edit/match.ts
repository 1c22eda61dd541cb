/** A place in a text where what is wanted stands, perhaps spelled a little differently. */
export interface Match {
  start: number;
  end: number;
  /** What takes its place, when that depends on the place. */
  replacement?: string | undefined;
}

/** What is searched, and what is to take its place. All with `\n` as line ending. */
export interface Wanted {
  text: string;
  old: string;
  replacement: string;
}

/** Finds all places, in order, that do not overlap. Pure. */
export type Matcher = (wanted: Wanted) => Match[];
