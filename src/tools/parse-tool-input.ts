import type { JSONObject, JSONValue } from "../message/json.ts";
import { jsonClone } from "../util/json-clone.ts";
import { toJSONSafe } from "../util/json-safe.ts";
import { wellFormed } from "../util/well-formed.ts";
import type { CompiledTool, ParseOutcome } from "./compiled-tool.ts";
import { inputNotJSONText, inputNotObjectText, invalidInputText } from "./error-texts.ts";
import { errorMessage } from "../util/error-message.ts";

export type ToolInputOutcome =
  | {
      ok: true;
      /** As the model wrote it: for storing. */
      input: JSONObject;
      /** As the tool gets it: checked, with the defaults and transforms of its schema. */
      value: unknown;
      /** The tool takes plain text, and the text is `input.value`. */
      textInput: boolean;
    }
  | {
      ok: false;
      /** Written for the model. */
      error: string;
      /** As far as it is an object: for storing. */
      input: JSONObject;
      /** The arguments as text, when they were no JSON object. */
      raw?: string | undefined;
    };

/**
 * Reads the arguments of a call. No text at all is an empty object, and an object that the model wrote as a JSON string is
 * unwrapped: some providers and models send these. Everything else that does not fit is an error, never a guess.
 */
export function parseToolInput(tool: CompiledTool, rawText: string): ToolInputOutcome | Promise<ToolInputOutcome> {
  const textInput = tool.textInput ?? false;
  const parsed = textInput ? parseText(rawText) : parseObject(tool.name, rawText);
  if (!parsed.ok) return { ...parsed, input: {}, raw: rawText };
  const { input } = parsed;
  // A copy: a transform may change its argument, and what is stored must stay what the model wrote.
  const outcome = check(tool, textInput ? input["value"] : jsonClone(input));
  const finish = (checked: ParseOutcome): ToolInputOutcome =>
    checked.ok ? { ok: true, input, value: checked.value, textInput } : { ok: false, error: invalidInputText(tool.name, checked.problems), input };
  return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
}

/** Providers send the text of such a call as a JSON string. */
function parseText(rawText: string): { ok: true; input: JSONObject } {
  const parsed = parseJSON(rawText);
  const text = "value" in parsed && typeof parsed.value === "string" ? parsed.value : wellFormed(rawText);
  return { ok: true, input: { value: text } };
}

function parseObject(tool: string, rawText: string): { ok: true; input: JSONObject } | { ok: false; error: string } {
  if (rawText.trim() === "") return { ok: true, input: {} };
  const parsed = parseJSON(rawText);
  if ("reason" in parsed) return { ok: false, error: inputNotJSONText(tool, rawText, parsed.reason) };
  const unwrapped = typeof parsed.value === "string" ? parseJSON(parsed.value) : parsed;
  if ("value" in unwrapped && isObject(unwrapped.value)) return { ok: true, input: unwrapped.value };
  return { ok: false, error: inputNotObjectText(tool, parsed.value) };
}

/** Half of its characters could open a level. */
const longestPlain = 512;

function parseJSON(text: string): { value: JSONValue } | { reason: string } {
  try {
    const value = JSON.parse(text) as JSONValue; // what JSON.parse returns is JSON
    return { value: isPlain(text) ? value : toJSONSafe(value) };
  } catch (error) {
    return { reason: errorMessage(error) };
  }
}

/**
 * Whether what the text says is safe as it is: escapes can hide lone surrogates, a key can set a prototype, and only a long
 * text can nest deeper than a walk over it survives.
 */
function isPlain(text: string): boolean {
  return text.length < longestPlain && text.isWellFormed() && !text.includes("\\u") && !text.includes("__proto__");
}

function isObject(value: JSONValue): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A schema runs foreign code (refinements, transforms), which may throw; the tool must then not run. */
function check(tool: CompiledTool, input: unknown): ParseOutcome | Promise<ParseOutcome> {
  try {
    const outcome = tool.parse(input);
    return outcome instanceof Promise ? outcome.catch(checkFailed) : outcome;
  } catch (error) {
    return checkFailed(error);
  }
}

function checkFailed(error: unknown): ParseOutcome {
  return { ok: false, problems: [{ path: [], message: `Its check failed: ${errorMessage(error)}` }] };
}
