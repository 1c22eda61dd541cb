import { exactly } from "./exact.ts";
import type { Matcher } from "./match.ts";
import { withAnyIndentation } from "./by-lines.ts";

const numbered = /^ *\d+: ?/;

/** Line numbers copied from the read tool's answer: only when each line has one. */
export const withoutLineNumbers: Matcher = ({ text, old, replacement }) => {
  const plain = withoutNumbers(old);
  if (plain === undefined) return [];
  const matches = exactly({ text, old: plain });
  const found = matches.length > 0 ? matches : withAnyIndentation({ text, old: plain, replacement });
  const meant = withoutNumbers(replacement) ?? replacement;
  return found.map(({ start, end }) => ({ start, end, replacement: meant }));
};

function withoutNumbers(text: string): string | undefined {
  const lines = text.split("\n");
  const isNumbered = lines.every((line, index) => numbered.test(line) || (line === "" && index === lines.length - 1));
  return isNumbered ? lines.map((line) => line.replace(numbered, "")).join("\n") : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "'": "'", "`": "`", "\\": "\\", $: "$" };

/** Escaped once too often: `\n` where a new line is meant. The replacement is taken to be escaped alike. */
export const unescaped: Matcher = ({ text, old, replacement }) => {
  const plain = withoutEscapes(old);
  return plain === old ? [] : exactly({ text, old: plain }).map(({ start, end }) => ({ start, end, replacement: withoutEscapes(replacement) }));
};

function withoutEscapes(text: string): string {
  return text.replace(/\\([ntr"'`\\$])/g, (whole, letter: string) => escapes[letter] ?? whole);
}

/** What writers of prose, and models, put for each other. Each has one code unit, so that places stay where they are. */
const plainPunctuation: readonly [RegExp, string][] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " "],
];

/** Typographic quotes, dashes and spaces. The replacement stays as it was given. */
export const withPlainPunctuation: Matcher = ({ text, old }) => exactly({ text: withPlain(text), old: withPlain(old) });

function withPlain(text: string): string {
  return plainPunctuation.reduce((plain, [typographic, character]) => plain.replace(typographic, character), text);
}

/** Blank lines and spaces around it that are not there. They are taken off the replacement, too. */
export const trimmed: Matcher = ({ text, old, replacement }) => {
  const plain = old.trim();
  if (plain === "" || plain === old) return [];
  const [before = ""] = /^\s*/.exec(old) ?? [];
  const [after = ""] = /\s*$/.exec(old) ?? [];
  let meant = replacement;
  if (before !== "" && meant.startsWith(before)) meant = meant.slice(before.length);
  if (after !== "" && meant.endsWith(after)) meant = meant.slice(0, -after.length);
  return exactly({ text, old: plain }).map(({ start, end }) => ({ start, end, replacement: meant }));
};
