import type { JSONValue } from "../message/json.ts";
import type { PermissionRule } from "../message/permission-rule.ts";
import { toJSONSafe } from "../util/json-safe.ts";
import { wellFormed } from "../util/well-formed.ts";
import { closestNames } from "./closest-names.ts";
import type { InputProblem } from "./compiled-tool.ts";

/*
 * Every error result that the engine writes for the model. Each says what was wrong, and what to do now: a model that only
 * reads "invalid arguments" repeats the same call.
 */

const maxProblems = 10;
const maxListedTools = 100;
const maxExcerpt = 120;
const maxCauses = 3;

/** The input does not fit the schema. */
export function invalidInputText(tool: string, problems: readonly InputProblem[]): string {
  const shown = problems.slice(0, maxProblems).map(describeProblem);
  if (problems.length > maxProblems) shown.push(`- … and ${problems.length - maxProblems} more.`);
  return [`The input of tool "${tool}" is not valid, so the tool was not run.`, ...shown, `Correct this and call "${tool}" again.`].join("\n");
}

/** The arguments are no JSON. */
export function inputNotJSONText(tool: string, raw: string, reason: string): string {
  return (
    `The input of tool "${tool}" is not valid JSON (${reason}), so the tool was not run. It began with: ${excerpt(raw)}\n` +
    `Call "${tool}" again with one complete JSON object.`
  );
}

/** The arguments are JSON, but no object. */
export function inputNotObjectText(tool: string, value: JSONValue): string {
  return (
    `The input of tool "${tool}" must be a JSON object, and was ${excerpt(JSON.stringify(value))}. The tool was not run.\n` +
    `Call "${tool}" again with an object that has its fields by name.`
  );
}

/** The check of the input did not end in time. */
export function inputUncheckedText(tool: string, limitMs: number): string {
  return `The input of tool "${tool}" could not be checked within ${limitMs} ms (timeouts.hookMs), so the tool was not run.`;
}

/** No tool has that name. */
export function unknownToolText(name: string, available: readonly string[]): string {
  const close = closestNames(name, available);
  const hint = close.length === 0 ? "" : ` Did you mean ${close.map((candidate) => `"${candidate}"`).join(" or ")}?`;
  const more = available.length > maxListedTools ? `, and ${available.length - maxListedTools} more` : "";
  const list = available.length === 0 ? "No tools are available: answer without one." : `Available tools: ${available.slice(0, maxListedTools).join(", ")}${more}.`;
  return `There is no tool named ${excerpt(JSON.stringify(name))}.${hint} ${list}`;
}

/** The tool threw: its message, and what caused it. */
export function toolThrewText(tool: string, error: unknown): string {
  return wellFormed(`Tool "${tool}" failed: ${describeError(error, maxCauses)}`);
}

/** The tool did not end in time. */
export function toolTimedOutText(tool: string, timeoutMs: number): string {
  return (
    `Tool "${tool}" was stopped: it did not end within ${timeoutMs} ms. It may have done a part of its work.\n` +
    "Check what was done before you call it again, and ask for less at once."
  );
}

/** The tool showed no progress for too long. */
export function toolIdleText(tool: string, idleTimeoutMs: number): string {
  return (
    `Tool "${tool}" was stopped: it made no progress for ${idleTimeoutMs} ms. It may have done a part of its work.\n` +
    "Check what was done before you call it again."
  );
}

/** The turn was aborted while the tool ran. */
export function toolAbortedText(tool: string): string {
  return `Tool "${tool}" was stopped: the turn was aborted while it ran. It may have done a part of its work.`;
}

/** The turn was aborted before the tool was started. */
export function toolNotStartedText(tool: string): string {
  return `Tool "${tool}" was not run: the turn was aborted before it started.`;
}

/** The process ended before the tool was started. */
export function toolNeverStartedText(tool: string): string {
  return `Tool "${tool}" was not run: the process ended before it started. Call it again if it is still needed.`;
}

/** The process ended while the tool ran. */
export function toolInterruptedText(tool: string): string {
  return `Tool "${tool}" was interrupted, and its outcome is unknown. Check what was done before you call it again.`;
}

/** A permission policy denied the call. */
export function deniedText(tool: string, denial: { rule?: PermissionRule | undefined; reason?: string | undefined }): string {
  const { rule, reason } = denial;
  const by = rule === undefined ? "" : ` by the rule ${JSON.stringify({ permission: rule.permission, pattern: rule.pattern ?? "*", action: rule.action })}`;
  const why = reason === undefined ? "" : ` ${reason}`;
  return `Tool "${tool}" was not run: this call is not permitted${by}.${why}\nDo not try the same by other means. Go on without it, or say what you would need.`;
}

/** The call needs the leave of a person, and nobody can be asked. */
export function noAnswerText(tool: string): string {
  return `Tool "${tool}" was not run: this call needs the permission of a person, and nobody can be asked here.\nGo on without it, or say what you would need.`;
}

/** A person rejected the call. */
export function rejectedText(tool: string, message: string | undefined): string {
  const said = message === undefined || message.trim() === "" ? "." : `, and said: ${message}`;
  return wellFormed(`Tool "${tool}" was not run: a person rejected this call${said}\nDo not try the same by other means. Go on as you were told, or say what you would need.`);
}

/** A person was asked about the call, and did not answer in time. */
export function unansweredText(tool: string): string {
  return `Tool "${tool}" was not run: this call needs the permission of a person, and nobody answered in time.\nGo on without it, or say what you would need.`;
}

/** A person rejected what a tool asked while it ran. */
export function questionRejectedText(tool: string, title: string, message: string | undefined): string {
  const said = message === undefined || message.trim() === "" ? "." : `, and said: ${message}`;
  return wellFormed(`Tool "${tool}" asked a person: ${title}\nThe person rejected it${said} The tool may have done a part of its work before it asked.`);
}

/** Nobody answered in time what a tool asked while it ran. */
export function unansweredQuestionText(tool: string, title: string): string {
  return wellFormed(`Tool "${tool}" asked a person: ${title}\nNobody answered in time. The tool may have done a part of its work before it asked.`);
}

/** A tool asked when it had ended already. */
export function lateQuestionText(tool: string, title: string): string {
  return wellFormed(`Tool "${tool}" asked a person after it had ended: ${title}\nNobody was asked. A tool has to wait for the answer before it gives its result.`);
}

/** The model's output ended at its limit, so that the call may be incomplete. */
export function cutByOutputLimitText(tool: string): string {
  return (
    `Tool "${tool}" was not run: your message reached the output limit, so this call may be incomplete.\n` +
    "Call it again with a smaller input, for instance in several steps."
  );
}

/** The model's message ended otherwise than by a finished set of calls. */
export function notRunText(tool: string, finish: string): string {
  return `Tool "${tool}" was not run: the message that called it did not end normally (${finish}).`;
}

/** The turn's last step: tools are withheld, and the model called one all the same. */
export function toolWithheldText(tool: string): string {
  return `Tool "${tool}" was not run: the step limit of this turn is reached, and no tool runs any more.`;
}

function describeProblem({ path, message, found, expected }: InputProblem): string {
  const field = path.length === 0 ? "input" : fieldName(path);
  const state = found === undefined ? "missing" : `is ${excerpt(JSON.stringify(found))}`;
  const form = expected === undefined ? "" : ` Expected: ${sentence(expected)}`;
  return `- ${field}: ${state}. ${sentence(message)}${form}`;
}

/** `list[0].name`, as one would write it in code. */
function fieldName(path: readonly (string | number)[]): string {
  return path.map((segment, index) => (typeof segment === "number" ? `[${segment}]` : index === 0 ? segment : `.${segment}`)).join("");
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function excerpt(text: string): string {
  return text.length <= maxExcerpt ? text : wellFormed(`${text.slice(0, maxExcerpt)}…`);
}

/** Tools throw anything, also objects whose getters throw. */
function describeError(error: unknown, causes: number): string {
  try {
    if (!(error instanceof Error)) return typeof error === "string" ? error : JSON.stringify(toJSONSafe(error));
    const message = error.message === "" ? error.name : error.message;
    return error.cause === undefined || causes === 0 ? message : `${message} (cause: ${describeError(error.cause, causes - 1)})`;
  } catch {
    return "an error that cannot be read";
  }
}
