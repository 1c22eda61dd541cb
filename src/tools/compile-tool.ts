import type { Tool as SDKTool } from "ai";
import { InvalidToolError } from "../errors.ts";
import { toJSONSafe } from "../util/json-safe.ts";
import { checkTool } from "./check-tool.ts";
import { closeObjects } from "./close-objects.ts";
import { compileInput, type CompiledInput } from "./compile-input.ts";
import type { CompiledTool } from "./compiled-tool.ts";
import { isListOfTexts, neededPermission } from "./needed-permission.ts";
import type { AnyTool, Tool } from "./tool.ts";
import { errorMessage } from "../util/error-message.ts";

/**
 * Brings a tool into the engine's form. Synchronous unless the input schema needs something loaded (see `compileInput`).
 *
 * @throws {InvalidToolError} the tool cannot be used; also as a rejection
 */
export function compileTool(name: string, tool: AnyTool): CompiledTool | Promise<CompiledTool> {
  checkTool(name, tool);
  if (!("inputSchema" in tool)) return withInput(compileInput(name, tool.input), (input) => compileOwnTool(name, tool, forModel(name, input, tool.strict)));
  // The provider checks the inputs of what it runs itself: its schema is never needed here.
  if (tool.type === "provider" && tool.isProviderExecuted) return compileSDKTool(name, tool, unchecked);
  return withInput(compileInput(name, tool.inputSchema), (input) =>
    compileSDKTool(name, tool, tool.type === "provider" ? input : forModel(name, input, tool.strict)),
  );
}

const unchecked: CompiledInput = {
  inputSchema: { type: "object" },
  parse: (raw) => ({ ok: true, value: raw }),
};

function withInput(input: CompiledInput | Promise<CompiledInput>, compile: (input: CompiledInput) => CompiledTool): CompiledTool | Promise<CompiledTool> {
  return input instanceof Promise ? input.then(compile) : compile(input);
}

/** The schema of a tool that the model is told of: an object, and closed when the provider shall hold the model to it. */
function forModel(name: string, input: CompiledInput, strict: boolean | undefined): CompiledInput {
  const { type } = input.inputSchema;
  if (type !== "object") {
    throw new InvalidToolError(name, `its input schema describes ${JSON.stringify(type)}. Models call tools with an object: wrap the value in one.`);
  }
  return strict === true ? { ...input, inputSchema: closeObjects(input.inputSchema) } : input;
}

function compileOwnTool(name: string, tool: Tool, input: CompiledInput): CompiledTool {
  return {
    ...input,
    name,
    title: tool.title,
    description: tool.description,
    execute: (value, context) => tool.execute(value, context),
    toModelOutput: tool.toModelOutput && ((call) => tool.toModelOutput?.(call)),
    readOnly: tool.readOnly ?? false,
    idempotent: tool.idempotent ?? false,
    timeoutMs: tool.timeoutMs,
    idleTimeoutMs: tool.idleTimeoutMs,
    retry: tool.retry ?? defaultRetry(tool),
    permission: tool.permission && ((value, context) => whenGiven(tool.permission?.(value, context), (answer) => neededPermission(name, answer))),
    locks: tool.locks && ((value, context) => whenGiven(tool.locks?.(value, context), (answer) => lockNames(name, answer))),
    maxOutputChars: tool.maxOutputChars,
    defaultAction: tool.defaultAction,
    strict: tool.strict,
    providerOptions: tool.providerOptions,
    inputExamples: toExamples(tool.examples),
  };
}

/** A tool may give any of these at once or later. */
function whenGiven<Made>(answer: unknown, make: (given: unknown) => Made): Made | Promise<Made> {
  return isThenable(answer) ? Promise.resolve(answer).then(make) : make(answer);
}

function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === "object" && answer !== null && "then" in answer;
}

function lockNames(name: string, answer: unknown): readonly string[] {
  if (isListOfTexts(answer)) return answer;
  throw new InvalidToolError(name, "locks() must return a list of texts: the names of what the call must have to itself.");
}

/** Once more, where nobody is hurt by it. */
function defaultRetry({ readOnly, idempotent }: Tool): number {
  return readOnly === true || idempotent === true ? 1 : 0;
}

function compileSDKTool(name: string, tool: SDKTool, input: CompiledInput): CompiledTool {
  // The SDK has other places for the title and the approval now, but a tool that still says them here means it.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const { execute, toModelOutput, title, needsApproval } = tool;
  return {
    ...input,
    name,
    title,
    description: describe(name, tool),
    execute: execute && ((value, context): unknown => execute.call(tool, value, context)),
    toModelOutput: toModelOutput && ((call) => toModelOutput.call(tool, call)),
    readOnly: false,
    idempotent: false,
    defaultAction: needsApproval === true ? "ask" : undefined,
    needsApproval: typeof needsApproval === "function" ? (value, call): unknown => (needsApproval as (value: unknown, call: unknown) => unknown).call(tool, value, call) : undefined,
    inputHooks: toInputHooks(tool),
    textInput: tool.type === "provider" && input.inputSchema.type === "string",
    provider: tool.type === "provider" ? { id: tool.id, args: tool.args } : undefined,
    strict: tool.strict,
    providerOptions: tool.providerOptions,
    inputExamples: toExamples(tool.inputExamples?.map((example): unknown => example.input)),
  };
}

function toInputHooks(tool: SDKTool): CompiledTool["inputHooks"] {
  const { onInputStart, onInputDelta, onInputAvailable } = tool;
  const hooks = { onInputStart, onInputDelta, onInputAvailable };
  const given = Object.entries(hooks).flatMap(([name, hook]) => (hook === undefined ? [] : [[name, (options: object): unknown => (hook as (options: object) => unknown).call(tool, options)] as const]));
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function describe(name: string, { description }: SDKTool): string | undefined {
  if (typeof description !== "function") return description;
  try {
    return description({ context: {} });
  } catch (error) {
    throw new InvalidToolError(name, `its description function threw: ${errorMessage(error)}. It is called once, with an empty context.`);
  }
}

function toExamples(examples: readonly unknown[] | undefined): CompiledTool["inputExamples"] {
  return examples?.flatMap((example) => {
    const input = toJSONSafe(example);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? [{ input }] : [];
  });
}
