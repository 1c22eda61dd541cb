import type { Word, WordPart } from "unbash";

/** A word of a command, with what is known of it. */
export interface ShellWord {
  /** Its value without quotes; what is only known at run time stays as it is written. */
  value: string;
  /** As it is written. */
  text: string;
  /** Its value has a part that the shell makes when the command runs. */
  isDynamic: boolean;
  /** It has wildcards or braces: it may become several words. */
  isPattern: boolean;
  /** It is written without any quote, so that a leading `~` is the home directory. */
  isBare: boolean;
}

export function toShellWord(word: Word): ShellWord {
  const parts = word.parts ?? [];
  const text = word.text;
  return {
    value: word.value,
    text,
    isDynamic: parts.some(isDynamic),
    // A parser that overlooks one must not make a certain word of it.
    isPattern: parts.some(isPattern) || (word.parts === undefined && text !== "[" && text !== "]" && /[*?[\]{}]/.test(text.replace(/\\[^]/g, ""))),
    isBare: !/["'\\]/.test(text),
  };
}

/** A word that is not written in the command itself, e.g. one that `env -S` splits off. */
export function literalWord(value: string): ShellWord {
  return { value, text: value, isDynamic: false, isPattern: false, isBare: false };
}

function isDynamic(part: WordPart): boolean {
  switch (part.type) {
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
      return true;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.some(isDynamic);
    case "BraceExpansion":
    case "ExtendedGlob":
    case "Glob":
      return part.parts?.some(isDynamic) ?? false;
    default:
      return false;
  }
}

function isPattern(part: WordPart): boolean {
  return part.type === "Glob" || part.type === "ExtendedGlob" || part.type === "BraceExpansion";
}
