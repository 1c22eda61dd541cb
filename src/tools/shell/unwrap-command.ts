import { assignedName } from "./assigned-variables.ts";
import type { ShellWord } from "./shell-word.ts";
import type { Wrapper } from "./wrappers.ts";

/** What a wrapper runs. */
export type Unwrapped =
  | { kind: "nothing" }
  | { kind: "command"; words: readonly ShellWord[]; assignments: readonly ShellWord[] }
  | { kind: "unknown"; reason: string };

/** Finds the command behind a wrapper's own options and operands. */
export function unwrapCommand(words: readonly ShellWord[], wrapper: Wrapper): Unwrapped {
  const options = skipOptions(words, wrapper);
  if (typeof options !== "number") return options;
  const afterAssignments = wrapper.assignments === true ? skipAssignments(words, options) : options;
  const start = afterAssignments + (wrapper.operands ?? 0);
  // One that is only known later may turn out to be an option.
  if (words.slice(options, start).some(isUncertain)) return onlyKnownLater(words);
  const assignments = words.slice(options, afterAssignments);
  const command = words.slice(start);
  return command.length === 0 && assignments.length === 0 ? { kind: "nothing" } : { kind: "command", words: command, assignments };
}

/** Index of the first word behind the wrapper's options. */
function skipOptions(words: readonly ShellWord[], wrapper: Wrapper): number | Exclude<Unwrapped, { kind: "command" }> {
  for (let index = 1; ; index += 1) {
    const word = words[index];
    if (word === undefined) return words.length;
    if (isUncertain(word) && word.value !== "-I{}") return onlyKnownLater(words);
    if (word.value === "--") return index + 1;
    if (!word.value.startsWith("-")) return index;
    const option = readOption(word.value, wrapper);
    if (option === "unknown") return { kind: "unknown", reason: `The option ${word.value} of ${nameOf(words)} is not known.` };
    if (option === "ends") return { kind: "nothing" };
    if (option === "takes next") {
      index += 1;
      if (!isKnownValue(word.value, words[index])) return onlyKnownLater(words);
    }
  }
}

function skipAssignments(words: readonly ShellWord[], start: number): number {
  const length = words.slice(start).findIndex(({ value }) => assignedName(value) === undefined);
  return length < 0 ? words.length : start + length;
}

function onlyKnownLater(words: readonly ShellWord[]): Extract<Unwrapped, { kind: "unknown" }> {
  return { kind: "unknown", reason: `What ${nameOf(words)} runs is only known when it runs.` };
}

function isUncertain({ isDynamic, isPattern }: ShellWord): boolean {
  return isDynamic || isPattern;
}

function nameOf(words: readonly ShellWord[]): string {
  return words[0]?.value ?? "";
}

/** `xargs -I git git status` would put its input in the place of the command: only the usual `{}` is looked for there. */
function isKnownValue(option: string, value: ShellWord | undefined): boolean {
  if (value === undefined || value.isDynamic || (value.isPattern && value.value !== "{}")) return false;
  return !option.endsWith("I") || value.value === "{}";
}

type OptionReading = "alone" | "takes next" | "ends" | "unknown";

function readOption(option: string, wrapper: Wrapper): OptionReading {
  const { flags = [], values = [], ends = [], numbers = false } = wrapper;
  if (ends.includes(option)) return "ends";
  if (flags.includes(option)) return "alone";
  if (values.includes(option)) return "takes next";
  if (numbers && /^-\d+$/.test(option)) return "alone";
  if (option.startsWith("--")) return readLongOption(option, values);
  return readLetters(option, { flags, values, ends });
}

/** `--signal=KILL`. An abbreviated name is not known: which one it stands for depends on the version. */
function readLongOption(option: string, values: readonly string[]): OptionReading {
  const [name = "", value] = option.split("=", 2);
  return value !== undefined && values.includes(name) ? "alone" : "unknown";
}

/** `-pn5`: letters of flags, then perhaps one that takes the rest, or the next word. */
function readLetters(option: string, { flags, values, ends }: { flags: readonly string[]; values: readonly string[]; ends: readonly string[] }): OptionReading {
  for (let index = 1; index < option.length; index += 1) {
    const letter = `-${option[index] ?? ""}`;
    // Joined to it stands what the command's own words are then replaced by.
    if (letter === "-I" && index < option.length - 1 && option.slice(index + 1) !== "{}") return "unknown";
    if (values.includes(letter)) return index === option.length - 1 ? "takes next" : "alone";
    if (ends.includes(letter)) return "ends";
    if (!flags.includes(letter)) return "unknown";
  }
  return "alone";
}
