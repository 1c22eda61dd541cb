import { assignedName, changesWhatRuns } from "./assigned-variables.ts";
import type { Scope } from "./findings.ts";
import { namedPaths } from "./named-paths.ts";
import { literalWord, type ShellWord } from "./shell-word.ts";

/** Reads a builtin that runs a text, goes to a directory, or changes what later commands mean. */
export function readBuiltin(name: string, words: readonly ShellWord[], scope: Scope): void {
  builtins.get(name)?.(words.slice(1), scope, name);
}

type ReadBuiltin = (operands: readonly ShellWord[], scope: Scope, name: string) => void;

const builtins: ReadonlyMap<string, ReadBuiltin> = new Map<string, ReadBuiltin>([
  ["eval", (operands, scope) => {
    readJoined(withoutEnd(operands), scope);
  }],
  ["trap", readTrap],
  [".", readSource],
  ["source", readSource],
  ...["alias", "hash", "enable", "complete", "bind", "fc"].map((name): [string, ReadBuiltin] => [name, readRenaming]),
  ...["cd", "pushd", "popd"].map((name): [string, ReadBuiltin] => [name, readDirectoryChange]),
  ...["export", "declare", "typeset", "local", "readonly", "mapfile", "readarray", "getopts", "read", "unset", "printf"].map((name): [string, ReadBuiltin] => [name, readAssigning]),
]);

/** The words are joined and read by a shell once more. */
export function readJoined(words: readonly ShellWord[], scope: Scope): void {
  if (words.some(isUncertain)) scope.findings.doubt("It runs a text that is only known when it runs.");
  else scope.readText(words.map(({ value }) => value).join(" "), scope.dialect);
}

function isUncertain({ isDynamic, isPattern }: ShellWord): boolean {
  return isDynamic || isPattern;
}

function withoutEnd(operands: readonly ShellWord[]): readonly ShellWord[] {
  return operands[0]?.value === "--" ? operands.slice(1) : operands;
}

function readTrap(operands: readonly ShellWord[], scope: Scope): void {
  const [action, ...signals] = withoutEnd(operands);
  if (action === undefined || signals.length === 0 || action.value === "-") return;
  readJoined([action], scope);
}

function readSource([file]: readonly ShellWord[], { findings }: Scope, name: string): void {
  if (file !== undefined && (isUncertain(file) || file.value.startsWith("/dev/"))) findings.doubt(`What ${name} runs is only known when it runs.`);
}

function readRenaming(operands: readonly ShellWord[], { findings }: Scope, name: string): void {
  if (operands.length > 0) findings.doubt(`${name} may change what a name runs.`);
}

function readAssigning(operands: readonly ShellWord[], scope: Scope, name: string): void {
  if (name === "printf" && operands[0]?.value.startsWith("-v") !== true) return;
  for (const { isDynamic, text, value } of operands) {
    if (isDynamic && assignedName(text) === undefined && name !== "printf") scope.findings.doubt(`Which variable ${name} sets is only known when it runs: ${text}`);
    // A name for another variable: a later assignment to it sets that one.
    if (/^-[a-zA-Z]*n/.test(value) && /^(declare|typeset|local)$/.test(name)) scope.findings.doubt(`${name} ${value} gives a variable a second name.`);
    checkAssigned(assignedName(value) ?? value.replace(/^-v/, ""), scope);
  }
}

function readDirectoryChange(operands: readonly ShellWord[], { findings, variables }: Scope, name: string): void {
  const targets = operands.filter(({ value }) => !/^-[LPe@n]+$/.test(value) && value !== "--");
  const [path] = targets.length === 0 ? [{ text: "~", path: variables["HOME"], isDirectory: true }] : namedPaths([literalWord("cd"), ...targets], variables);
  findings.addDirectory(name === "popd" || targets.length > 1 || path?.path === "-" || targets[0]?.value === "-" ? undefined : path);
}

/** A value for this variable may make other commands run than those that are written. */
export function checkAssigned(name: string, { findings }: Scope): void {
  if (changesWhatRuns(name)) findings.doubt(`The variable ${name} may change what runs.`);
}
