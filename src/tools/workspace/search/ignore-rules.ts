import { globMatcher, type GlobMatcher } from "./glob-pattern.ts";

/** One line of a `.gitignore`. */
interface IgnoreRule {
  matches: GlobMatcher;
  onlyDirectories: boolean;
  /** It takes back what earlier lines ignore. */
  negated: boolean;
}

/** What one file of ignore rules says, about paths below the folder that it is in. */
export interface IgnoreFile {
  /** The folder, from the root, with `/`; empty for the root. */
  folder: string;
  rules: readonly IgnoreRule[];
}

/** Parses a `.gitignore`: https://git-scm.com/docs/gitignore */
export function parseIgnoreFile(text: string, folder: string): IgnoreFile {
  return { folder, rules: text.split(/\r?\n/).flatMap((line) => ruleOf(line) ?? []) };
}

function ruleOf(line: string): IgnoreRule | undefined {
  // Trailing spaces count only when they are escaped.
  let pattern = line.replace(/(?<!\\)\s+$/, "");
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const onlyDirectories = pattern.endsWith("/");
  if (onlyDirectories) pattern = pattern.slice(0, -1);
  if (pattern === "") return undefined;
  return { matches: globMatcher(pattern, { matchBase: true, braces: false }), onlyDirectories, negated };
}

/** Whether a path is ignored; the last line that matches decides, and the files nearest to the path come last. */
export function isIgnored(path: string, isDirectory: boolean, files: readonly IgnoreFile[]): boolean {
  for (const { folder, rules } of files.toReversed()) {
    const below = folder === "" ? path : path.slice(folder.length + 1);
    const rule = rules.findLast(({ matches, onlyDirectories }) => (isDirectory || !onlyDirectories) && matches(below));
    if (rule !== undefined) return !rule.negated;
  }
  return false;
}
