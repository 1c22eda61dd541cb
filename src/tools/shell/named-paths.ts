import type { PathUse } from "./command-analysis.ts";
import type { ShellWord } from "./shell-word.ts";

/** Commands whose operands are paths, and how many of them come before the first that is one. */
const pathCommands: ReadonlyMap<string, number> = new Map([
  ...[
    "cat", "head", "tail", "less", "more", "tac", "nl", "wc", "sort", "uniq", "cut", "paste", "stat", "file", "du", "diff", "cmp", "comm", "rm", "rmdir", "mkdir", "touch", "cp", "mv",
    "ln", "install", "tee", "truncate", "shred", "unlink", "readlink", "realpath", "ls", "tree", "find", "xxd", "od", "hexdump", "strings", "md5sum", "sha1sum", "sha256sum", "base64",
    "zip", "unzip", "gzip", "gunzip", "rsync", "scp", "source", ".", "vi", "vim", "nano", "cd", "pushd", "dd", "patch", "open",
  ].map((name): [string, number] => [name, 0]),
  ...["chmod", "chown", "chgrp", "grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "jq"].map((name): [string, number] => [name, 1]),
]);

/** Their operands are text. */
const textCommands: ReadonlySet<string> = new Set(["echo", "printf", ":", "true", "false"]);

const directoryCommands: ReadonlySet<string> = new Set(["ls", "tree", "find", "cd", "pushd", "mkdir", "rmdir"]);

/** Reading or writing these touches no file. */
const noFiles = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;

/** The paths among the words of a simple command. Its name is none. */
export function namedPaths(words: readonly ShellWord[], variables: Readonly<Record<string, string>>): PathUse[] {
  const [name, ...rest] = words;
  if (name === undefined || textCommands.has(name.value)) return [];
  let skipped = pathCommands.get(name.value);
  const isDirectory = directoryCommands.has(name.value);
  let areOperands = false;
  return rest.flatMap((word): PathUse[] => {
    if (word.value === "--") areOperands = true;
    if (!areOperands && word.value.startsWith("-")) return inOption(word, variables);
    if (skipped === undefined) return looksLikePath(word.value) || looksLikePath(afterEquals(word.value)) ? pathOf(word, isDirectory, variables) : [];
    skipped -= 1;
    return skipped < 0 ? pathOf(name.value === "dd" ? { ...word, value: afterEquals(word.value) } : word, isDirectory, variables) : [];
  });
}

/** The path that a redirection names. */
export function pathOf(word: ShellWord, isDirectory: boolean, variables: Readonly<Record<string, string>>): PathUse[] {
  const path = knownPath(word, variables);
  return path !== undefined && (noFiles.test(path) || path === "-") ? [] : [{ text: word.value, path, isDirectory }];
}

/** `--output=/x`, `-I/x`, `-C../x`. */
function inOption(word: ShellWord, variables: Readonly<Record<string, string>>): PathUse[] {
  const value = word.value.startsWith("--") ? afterEquals(word.value) : word.value.slice(2).replace(/^=/, "");
  return looksLikePath(value) ? pathOf({ ...word, value, isBare: true }, false, variables) : [];
}

function afterEquals(value: string): string {
  return /^[\w-]+=(.*)$/s.exec(value)?.[1] ?? value;
}

/** It leads out of where the command stands, or begins with what may. */
function looksLikePath(value: string): boolean {
  return /^[/~]/.test(value) || /(^|\/)\.\.(\/|$)/.test(value) || /^\$\{?(HOME|PWD|OLDPWD|TMPDIR)\b/.test(value);
}

/** `undefined` where it is only known when the command runs. */
function knownPath(word: ShellWord, variables: Readonly<Record<string, string>>): string | undefined {
  const value = word.isDynamic ? withVariables(word.value, variables) : word.value;
  if (value === undefined || value === "") return undefined;
  if (value.startsWith("~")) {
    if (!word.isBare) return `./${value}`;
    // Another user's home, or one of the shell's own.
    if (!/^~(\/|$)/.test(value)) return undefined;
  }
  return word.isPattern ? beforeWildcard(value) : value;
}

function withVariables(value: string, variables: Readonly<Record<string, string>>): string | undefined {
  const match = /^\$(?:\{(\w+)\}|(\w+))/.exec(value);
  const known = variables[match?.[1] ?? match?.[2] ?? ""];
  const rest = value.slice(match?.[0].length ?? 0);
  return known === undefined || /[\s*?[$`]/.test(known) || /[$`<>]/.test(rest) ? undefined : known + rest;
}

/** What a pattern can match may be a link or lead upwards; its fixed beginning says where, unless it has `..` behind that. */
function beforeWildcard(value: string): string | undefined {
  const first = value.search(/[*?[{]/);
  const isUnclear = first < 0 || /[?*+!@]\(|(^|\/)\.[*?[{]|\{[^}]*[./~{$]|\{,|,\}|,,/.test(value) || value.slice(first).includes("..");
  return isUnclear ? undefined : value.slice(0, value.lastIndexOf("/", first) + 1) || ".";
}
