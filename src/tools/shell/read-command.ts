import { escapeWildcards } from "../../util/escape-wildcards.ts";
import { assignedName } from "./assigned-variables.ts";
import { commandArity } from "./command-arity.ts";
import { destructiveImpact } from "./destructive-commands.ts";
import type { Scope } from "./findings.ts";
import { namedPaths } from "./named-paths.ts";
import { checkAssigned, readBuiltin, readJoined } from "./read-builtin.ts";
import { runningWord } from "./running-options.ts";
import { literalWord, type ShellWord } from "./shell-word.ts";
import { unwrapCommand } from "./unwrap-command.ts";
import { dialects, shells, unknownRunners, wrappers, type Wrapper } from "./wrappers.ts";

/** Where a simple command stands. */
interface Standing {
  /** Its words may be followed by others that nobody has seen. */
  isAppendedTo?: boolean | undefined;
}

/** Takes a simple command apart: its name and arguments, without assignments and redirections. */
export function readCommand(words: readonly ShellWord[], scope: Scope, standing: Standing = {}): void {
  const [name] = words;
  if (name === undefined) return;
  addAtom(words, scope, standing);
  if (name.isDynamic || name.isPattern || !/^[^\s$`*?{}()<>|&;!"'\\~%]+$|^\[$|^~\/[^\s$`*?{}()<>|&;!"'\\]+$/.test(name.value)) {
    scope.findings.doubt(`Which command it is, is only known when it runs: ${name.text}`);
    return;
  }
  const command = name.value.replace(/^.*\//s, "");
  scope.findings.addPaths(namedPaths(words, scope.variables));
  const running = runningWord(words.map(({ value }) => value));
  if (running !== undefined) scope.findings.doubt(`${command} may run another program by ${running}`);
  if (unknownRunners.has(command)) scope.findings.doubt(`What ${command} runs cannot be told.`);
  const wrapper = wrappers.get(command);
  if (wrapper !== undefined) readWrapped(words, wrapper, { scope, standing });
  else if (shells.has(command)) readShell(words, command, { scope, standing });
  else if (command === "find") readFind(words, scope);
  else readBuiltin(command, words, scope);
}

function addAtom(words: readonly ShellWord[], { findings }: Scope, { isAppendedTo = false }: Standing): void {
  const values = words.map(({ value }) => (value === "" ? "''" : value));
  const text = values.join(" ");
  const isUncertain = isAppendedTo || words.some(({ isDynamic, isPattern }) => isDynamic || isPattern);
  findings.addAtom({ text, always: prefixRule(words, values), uncertain: isUncertain, destructive: destructiveImpact(values) });
}

/** Programs whose arguments are programs: what one of them may do says nothing of another. */
const interpreters = /^(python|node|deno|bun|perl|ruby|php|lua|osascript|awk|gawk|tclsh|R|Rscript|ghc|jshell)[\d.]*$/;

/** `git push *` for `git push origin`; `undefined`, which is the exact text, where the beginning says too little. */
function prefixRule(words: readonly ShellWord[], values: readonly string[]): string | undefined {
  const prefix = values.slice(0, commandArity(values));
  const isUnclear = words.slice(0, prefix.length).some((word, index) => word.isDynamic || word.isPattern || (index > 0 && word.value.startsWith("-")));
  const runsText = /^(sudo|doas|env)$/.test(values[0] ?? "") || interpreters.test(values[0] ?? "") || shells.has(values[0] ?? "") || values[0] === "eval" || values[0] === "trap";
  if (isUnclear || runsText || values.includes("-delete")) return undefined;
  return `${escapeWildcards(prefix.join(" "))} *`;
}

interface Surroundings {
  scope: Scope;
  standing: Standing;
}

function readWrapped(words: readonly ShellWord[], wrapper: Wrapper, { scope, standing }: Surroundings): void {
  const unwrapped = unwrapCommand(words, wrapper);
  const isAppendedTo = standing.isAppendedTo === true || wrapper.appends === true;
  if (unwrapped.kind === "unknown") {
    scope.findings.doubt(unwrapped.reason);
  } else if (unwrapped.kind === "nothing" || unwrapped.words.length === 0) {
    if (standing.isAppendedTo === true) scope.findings.doubt(`What ${words[0]?.value ?? ""} runs comes from the input of xargs.`);
  }
  if (unwrapped.kind !== "command") return;
  for (const { value } of unwrapped.assignments) checkAssigned(assignedName(value) ?? "", scope);
  if (wrapper.joins === true) readJoined(unwrapped.words, scope);
  else readCommand(unwrapped.words, scope, { isAppendedTo });
}

/** A shell with `-c` runs a text; without, a file, or what it reads. */
function readShell(words: readonly ShellWord[], shell: string, { scope, standing }: Surroundings): void {
  const { findings } = scope;
  const option = words.findIndex(({ value }, index) => index > 0 && /^-[a-zA-Z]*c$/.test(value));
  const before = words.slice(1, option < 0 ? undefined : option);
  const operand = before.findIndex(({ value }) => !value.startsWith("-"));
  if (before.slice(0, operand < 0 ? undefined : operand).some(({ value }) => !/^(-[euxl]+|--norc|--noprofile|--login|--posix)$/.test(value))) {
    findings.doubt(`An option of ${shell} is not known.`);
  } else if (operand >= 0) {
    const file = before[operand];
    if (file !== undefined && (file.isDynamic || file.isPattern || file.value.startsWith("/dev/"))) findings.doubt(`What ${shell} runs is only known when it runs.`);
  } else if (option < 0) {
    findings.doubt(`What ${shell} runs comes from its input.`);
  } else {
    readShellText(words[option + 1], shell, { scope, standing });
  }
}

function readShellText(text: ShellWord | undefined, shell: string, { scope, standing }: Surroundings): void {
  const dialect = dialects.get(shell);
  if (text === undefined || text.isDynamic || text.isPattern) scope.findings.doubt(`What ${shell} runs is only known when it runs.`);
  else if (dialect === undefined) scope.findings.doubt(`Commands for ${shell} cannot be read.`);
  else if (standing.isAppendedTo === true && text.value.includes("{}")) scope.findings.doubt(`What ${shell} runs is put together when it runs.`);
  else scope.readText(text.value, dialect);
}

const findActions = /^-(exec|execdir|ok|okdir)$/;

function readFind(words: readonly ShellWord[], scope: Scope): void {
  for (let index = 1; index < words.length; index += 1) {
    const action = words[index];
    if (action === undefined || !findActions.test(action.value)) continue;
    const length = words.slice(index + 1).findIndex(({ value }) => value === ";" || value === "+");
    const command = words.slice(index + 1, length < 0 ? undefined : index + 1 + length);
    if (length <= 0) scope.findings.doubt(`Where ${action.value} ends cannot be told.`);
    // `{}` is replaced by a path.
    readCommand(command.map((word) => (word.value === "{}" ? { ...literalWord("{}"), isPattern: false } : word)), scope, { isAppendedTo: true });
    index += command.length;
  }
}
