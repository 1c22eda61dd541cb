/** Tells whether a path, with `/` between its components, matches. */
export type GlobMatcher = (path: string) => boolean;

/** One character, or the star. */
type Token = "*" | { is: (character: string) => boolean };

/** `**` as a whole component, or the tokens of one. */
type Segment = "**" | readonly Token[];

/** Of `{a,b}{c,d}…` at most so many patterns: a model may write any number. */
const maxAlternatives = 1_000;

export interface GlobOptions {
  /** A pattern without `/` is about the name, in any folder. Default false. */
  matchBase?: boolean | undefined;
  /** `{a,b}` is either, and not the text. Default true. */
  braces?: boolean | undefined;
}

/**
 * Compiles a glob: `*` is any text in one component, `**` any number of components, `?` one character, `[a-z]` and `[!a-z]`
 * one of a set, `{a,b}` either, `\` takes the meaning from what follows.
 *
 * Not a regular expression: patterns come from models, and no pattern may take exponential time.
 *
 * @throws {SyntaxError} more alternatives than anybody means
 */
export function globMatcher(pattern: string, { matchBase = false, braces = true }: GlobOptions = {}): GlobMatcher {
  const alternatives = (braces ? expandBraces(pattern) : [pattern]).map((alternative) => compile(alternative, matchBase));
  return (path) => {
    const components = path.split("/").filter((component) => component !== "" && component !== ".");
    return alternatives.some((segments) => matchesPath(segments, components));
  };
}

function compile(pattern: string, matchBase: boolean): Segment[] {
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  const segments = parts.map((part): Segment => (part === "**" ? "**" : tokensOf(part)));
  return matchBase && !pattern.includes("/") ? ["**", ...segments] : segments;
}

/** `{a,b}` written out. A brace without a partner, or without a comma, is itself. */
function expandBraces(pattern: string): string[] {
  let open = [{ done: "", rest: pattern }];
  const finished: string[] = [];
  while (open.length > 0) {
    const next: typeof open = [];
    for (const { done, rest } of open) {
      const group = firstGroup(rest);
      if (group === undefined) finished.push(done + rest);
      else next.push(...group.choices.map((choice) => ({ done: done + group.before, rest: choice + group.after })));
    }
    if (finished.length + next.length > maxAlternatives) throw new SyntaxError(`The pattern has more than ${maxAlternatives} alternatives. Write a simpler one.`);
    open = next;
  }
  return finished;
}

interface BraceGroup {
  before: string;
  choices: string[];
  after: string;
}

function firstGroup(pattern: string): BraceGroup | undefined {
  for (let start = 0; start < pattern.length; start += 1) {
    if (pattern[start] === "\\") start += 1;
    else if (pattern[start] === "{") {
      const group = groupAt(pattern, start);
      if (group !== undefined) return group;
    }
  }
  return undefined;
}

function groupAt(pattern: string, start: number): BraceGroup | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let index = start; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === "\\") index += 1;
    else if (character === "{") depth += 1;
    else if (character === "," && depth === 1) {
      choices.push(pattern.slice(from, index));
      from = index + 1;
    } else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      choices.push(pattern.slice(from, index));
      return choices.length === 1 ? undefined : { before: pattern.slice(0, start), choices, after: pattern.slice(index + 1) };
    }
  }
  return undefined;
}

function tokensOf(part: string): Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(part);
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? "";
    const set = character === "[" ? setAt(characters, index) : undefined;
    if (set !== undefined) {
      tokens.push({ is: set.is });
      index = set.end;
    } else if (character === "*") {
      if (tokens.at(-1) !== "*") tokens.push("*");
    } else if (character === "?") {
      tokens.push({ is: () => true });
    } else {
      const literal = character === "\\" && index + 1 < characters.length ? (characters[(index += 1)] ?? "") : character;
      tokens.push({ is: (given) => given === literal });
    }
  }
  return tokens;
}

/** `[…]` from its bracket on; `undefined` where it is not closed, and thus a bracket like any other. */
function setAt(characters: readonly string[], start: number): { is: (character: string) => boolean; end: number } | undefined {
  const negated = characters[start + 1] === "!" || characters[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  // A bracket that comes first is a member of the set.
  const end = characters.indexOf("]", first + 1);
  if (end === -1) return undefined;
  const members = characters.slice(first, end);
  const is = (character: string): boolean => isMember(members, character) !== negated;
  return { is, end };
}

function isMember(members: readonly string[], character: string): boolean {
  for (let index = 0; index < members.length; index += 1) {
    const from = members[index] ?? "";
    const to = members[index + 1] === "-" ? members[index + 2] : undefined;
    if (to === undefined ? character === from : character >= from && character <= to) return true;
    if (to !== undefined) index += 2;
  }
  return false;
}

/** After a mismatch only the newest `**` needs to take one more component, as the newest star does within one. */
function matchesPath(segments: readonly Segment[], components: readonly string[]): boolean {
  let segmentIndex = 0;
  let index = 0;
  let deep = -1;
  let deepFrom = 0;
  while (index < components.length) {
    const segment = segments[segmentIndex];
    if (segment === "**") {
      deep = segmentIndex;
      deepFrom = index;
      segmentIndex += 1;
    } else if (segment !== undefined && matchesComponent(segment, components[index] ?? "")) {
      segmentIndex += 1;
      index += 1;
    } else if (deep !== -1) {
      deepFrom += 1;
      index = deepFrom;
      segmentIndex = deep + 1;
    } else {
      return false;
    }
  }
  // `folder/**` is what is in the folder, and not the folder.
  const rest = segments.slice(segmentIndex);
  return rest.length === 0 || (rest.every((segment) => segment === "**") && components.length === 0);
}

function matchesComponent(tokens: readonly Token[], component: string): boolean {
  const characters = Array.from(component);
  let tokenIndex = 0;
  let index = 0;
  let star = -1;
  let starFrom = 0;
  while (index < characters.length) {
    const token = tokens[tokenIndex];
    if (token === "*") {
      star = tokenIndex;
      starFrom = index;
      tokenIndex += 1;
    } else if (token?.is(characters[index] ?? "") === true) {
      tokenIndex += 1;
      index += 1;
    } else if (star !== -1) {
      starFrom += 1;
      index = starFrom;
      tokenIndex = star + 1;
    } else {
      return false;
    }
  }
  while (tokens[tokenIndex] === "*") tokenIndex += 1;
  return tokenIndex === tokens.length;
}
