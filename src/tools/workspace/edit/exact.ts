import type { Match, Wanted } from "./match.ts";

/** As it is written. */
export function exactly({ text, old }: Pick<Wanted, "text" | "old">): Match[] {
  const matches: Match[] = [];
  if (old === "") return matches;
  for (let start = text.indexOf(old); start !== -1; start = text.indexOf(old, start + old.length)) {
    matches.push({ start, end: start + old.length });
  }
  return matches;
}
