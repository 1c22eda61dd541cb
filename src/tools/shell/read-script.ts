import type { Assignment, Command, HereDoc, ParameterExpansionPart, Redirect, SyntaxNode } from "unbash";
import { isHarmlessVariable } from "./assigned-variables.ts";
import { isDevice } from "./destructive-commands.ts";
import type { Scope } from "./findings.ts";
import type { ShellParser } from "./load-parser.ts";
import { pathOf } from "./named-paths.ts";
import { checkAssigned } from "./read-builtin.ts";
import { readCommand } from "./read-command.ts";
import { toShellWord, type ShellWord } from "./shell-word.ts";
import { blanked, unreadText } from "./unread-text.ts";

/** What only bash reads so: other shells read something else in its place, perhaps another command. */
const bashOnly: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "AnsiCQuoted", "LocaleString", "ProcessSubstitution", "BraceExpansion", "ExtendedGlob", "ArrayValue", "TestCommand", "ArithmeticCommand", "ArithmeticFor", "Select", "Coproc", "Time", "HereString",
]);

/** In arithmetic the value of a variable is evaluated, and a subscript in it may hold a command. */
const hiddenSubscript = /\[[^\]]*(\$\(|`)/;

/** Reads all that a script may run, wherever it stands. */
export function readScript(parser: ShellParser, text: string, scope: Scope): void {
  const script = parser.parse(text);
  let source = withoutHereDocuments(parser, script, text);
  const visit = (node: SyntaxNode, isQuoted: boolean): void => {
    const outer = source;
    // Escapes within backticks were resolved, so that it has a text of its own.
    if (node.type === "Script" && node.source !== undefined) source = withoutHereDocuments(parser, node, node.source);
    readNode(node, scope, isQuoted);
    const children = childrenOf(parser, node);
    const unread = unreadText(node, children, source);
    if (unread !== undefined) scope.findings.doubt(`It cannot be read: ${unread}`);
    const inQuotes = node.type !== "Script" && (isQuoted || node.type === "DoubleQuoted" || node.type === "LocaleString" || node.type === "HereDocBody");
    for (const child of children) visit(child, inQuotes);
    source = outer;
  };
  visit(script, false);
}

function childrenOf(parser: ShellParser, node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  parser.forEachChild(node, (child) => {
    children.push(child);
  });
  return children;
}

function withoutHereDocuments(parser: ShellParser, script: SyntaxNode, text: string): string {
  if (!text.includes("<<")) return text;
  let source = text;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "HereDoc") source = blanked(source, node.body.pos, node.closing?.end ?? node.body.end);
    if (node === script || node.type !== "Script" || node.source === undefined) childrenOf(parser, node).forEach(visit);
  };
  visit(script);
  return source;
}

function readNode(node: SyntaxNode, scope: Scope, isQuoted: boolean): void {
  const { findings, dialect } = scope;
  if (dialect === "sh" && bashOnly.has(node.type)) findings.doubt("Not every shell reads it alike.");
  switch (node.type) {
    case "Script":
      // A nested one carries its own errors.
      if ("errors" in node && node.errors !== undefined && node.errors.length > 0) findings.doubt(`It is not whole: ${node.errors[0]?.message ?? ""}`);
      return;
    case "Command":
      readSimpleCommand(node, scope);
      return;
    case "Assignment":
      checkAssigned(node.name, scope);
      return;
    case "Redirect":
      readRedirect(node, scope);
      return;
    case "HereDoc":
      readHereDocument(node, scope);
      return;
    case "Function":
      readFunction(node.name.value, node, scope);
      return;
    case "For":
    case "Select":
      checkAssigned(node.name.value, scope);
      return;
    default:
      readPart(node, scope, isQuoted);
  }
}

/** What words consist of, and what they are computed from. */
function readPart(node: SyntaxNode, scope: Scope, isQuoted: boolean): void {
  const { findings } = scope;
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
      if (node.script === undefined) findings.doubt(`It cannot be read: ${node.text}`);
      return;
    case "ArithmeticExpansion":
      if (node.expression === undefined) readNoExpression(node.text, scope);
      return;
    case "ArithmeticCommand":
      if (node.expression === undefined) readNoExpression(node.body, scope);
      return;
    case "ParameterExpansion":
      readParameter(node, scope);
      return;
    case "SingleQuoted":
    case "AnsiCQuoted":
      readQuoted(node, scope, isQuoted);
      return;
    case "Word":
      if (node.parts === undefined) readLiteral(node.text, scope, isQuoted);
      return;
    case "Literal":
      readLiteral(node.text, scope, isQuoted);
      return;
    case "ArithmeticWord":
      if (node.parts === undefined && /[;\n`]|\w\s+\w/.test(node.value)) findings.doubt(`It cannot be read: ${node.value}`);
      return;
    default:
      return;
  }
}

function readQuoted({ text, value }: { text: string; value: string }, { findings }: Scope, isQuoted: boolean): void {
  // Within double quotes they are no quotes to bash, and what looks quoted is run.
  if (isQuoted && /[$`]/.test(text.slice(2))) findings.doubt(`Quotes within quotes: ${text}`);
  if (hiddenSubscript.test(value)) findings.doubt(`It may be run by arithmetic: ${text}`);
}

/** Text that stands for itself has no quotes and no operators, unless each is escaped: else the parser took it for less than it is. */
function readLiteral(text: string, { findings }: Scope, isQuoted: boolean): void {
  if (!isQuoted && /[()<>|&;`'"\n]/.test(text.replace(/\\[^]/g, ""))) findings.doubt(`It cannot be read: ${text}`);
  if (hiddenSubscript.test(text)) findings.doubt(`It may be run by arithmetic: ${text}`);
}

/** `(( ))` is empty; whatever else was not understood. */
function readNoExpression(text: string, { findings }: Scope): void {
  if (/[^\s$()[\]]/.test(text)) findings.doubt(`It cannot be read: ${text}`);
}

function readSimpleCommand(node: Command, scope: Scope): void {
  const prefix = node.prefix.filter((item): item is Assignment => item.type === "Assignment");
  const words = node.args.map((argument): ShellWord => (argument.type === "Word" ? toShellWord(argument) : assignmentWord(argument)));
  if (node.name !== undefined) readCommand([toShellWord(node.name), ...words], scope);
  const told = prefix.filter((assignment) => !isHarmlessVariable(assignment.name) || node.name === undefined || !isPlain(assignment));
  if (told.length === 0) return;
  // Judged with them, too: what is allowed without them need not be with them.
  const command = node.name === undefined ? [] : [toShellWord(node.name), ...words];
  const all = [...told.map(assignmentWord), ...command];
  scope.findings.addAtom({ text: all.map(({ value }) => value).join(" "), uncertain: all.some(({ isDynamic, isPattern }) => isDynamic || isPattern) });
}

function isPlain({ value }: Assignment): boolean {
  return value.type === "Word" && !toShellWord(value).isDynamic;
}

function assignmentWord(assignment: Assignment): ShellWord {
  const { value, text } = assignment;
  if (value.type === "ArrayValue") return { value: text, text, isDynamic: value.elements.some((element) => toShellWord(element).isDynamic), isPattern: false, isBare: false };
  const word = toShellWord(value);
  const before = text.slice(0, text.length - word.text.length);
  return { value: before + word.value, text, isDynamic: word.isDynamic || assignment.index !== undefined, isPattern: false, isBare: false };
}

function readRedirect({ operator, target }: Redirect, { findings, variables, dialect }: Scope): void {
  if (target === undefined) {
    findings.doubt("It redirects, and does not say where.");
    return;
  }
  if (dialect === "sh" && operator.includes("&") && !/^\d+$|^-$/.test(target.text)) findings.doubt("Not every shell reads it alike.");
  if (operator.endsWith("&") && /^\d*-?$/.test(target.value)) return;
  const word = toShellWord(target);
  const paths = pathOf(word, false, variables);
  findings.addPaths(paths);
  if (operator === "<" || operator === "<&") return;
  findings.addWritten(paths);
  if (isDevice(word.value)) findings.addAtom({ text: `> ${word.value}`, uncertain: false, destructive: "Overwrites a disk." });
}

function readHereDocument({ closing, delimiter }: HereDoc, { findings }: Scope): void {
  if (closing === undefined || delimiter === undefined) findings.doubt("A here-document has no end.");
}

/** `:(){ :|:& };:` */
function readFunction(name: string, { body }: { body: { type: string } }, { findings }: Scope): void {
  if (!/^[\w:.@/+-]+$/.test(name)) findings.doubt(`What ${name} is called is not clear.`);
  const text = JSON.stringify(body);
  const callsItself = text.includes(`"name":{"type":"Word"`) && new RegExp(`"name":\\{[^{}]*"value":${escaped(JSON.stringify(name))}`).test(text);
  if (callsItself && /"type":"Pipeline"|"background":true/.test(text)) findings.addAtom({ text: `${name}()`, uncertain: false, destructive: "Starts processes without end, until the machine stands still." });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function readParameter(node: ParameterExpansionPart, scope: Scope): void {
  const { findings } = scope;
  const { operation, parameter, text } = node;
  // The parser and the shell do not agree on what a line that goes on means inside of one.
  if (text.includes("\\\n") || operation?.type === "Unknown") findings.doubt(`It cannot be read: ${text}`);
  // It is expanded once more, like a prompt, with the commands in it.
  if (operation?.type === "Transform" && text.includes("@P")) findings.doubt(`It runs what a variable holds: ${text}`);
  if (operation?.type === "Default" && operation.operator.includes("=")) checkAssigned(parameter, scope);
}
