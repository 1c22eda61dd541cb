import { InvalidToolError } from "../errors.ts";
import type { AnyTool } from "./tool.ts";

/** A timer set for longer fires at once. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Less than that would not hold the notice of what was cut. */
const minOutputChars = 200;

/**
 * Refuses what could not work as a tool, at the place where it is defined or registered rather than in a model call.
 *
 * @throws {InvalidToolError}
 */
export function checkTool(name: string, tool: unknown): asserts tool is AnyTool {
  if (typeof tool !== "object" || tool === null) {
    throw new InvalidToolError(name, "is not an object. Make one with defineTool({ description, input, execute }).");
  }
  if ("inputSchema" in tool) checkSDKTool(name, tool);
  else checkOwnTool(name, tool);
}

function checkSDKTool(name: string, tool: object): void {
  // Every field is looked at before it is used; the cast only lets them be named.
  const fields = tool as Record<string, unknown>;
  checkSchema(name, fields["inputSchema"], "inputSchema");
  if (fields["isProviderExecuted"] !== true) checkFunction(name, fields["execute"]);
  checkTypes(name, fields, sdkTypes);
  const { inputExamples } = fields;
  if (inputExamples !== undefined && !isListOf(inputExamples, (example) => isRecord(example) && isRecord(example["input"]))) {
    throw new InvalidToolError(name, "inputExamples must be a list of { input }, each input an object.");
  }
}

function checkOwnTool(name: string, tool: object): void {
  // Every field is looked at before it is used; the cast only lets them be named.
  const fields = tool as Record<string, unknown>;
  if (fields["name"] !== undefined && typeof fields["name"] !== "string") throw new InvalidToolError("", "its name must be a string.");
  if (typeof fields["description"] !== "string" || fields["description"].trim() === "") {
    throw new InvalidToolError(name, "has no description. Give it one that tells the model when to use it and what comes back.");
  }
  checkSchema(name, fields["input"], "input");
  checkFunction(name, fields["execute"]);
  checkOptions(name, fields);
  const unknown = Object.keys(fields).filter((field) => !ownFields.has(field));
  if (unknown.length > 0) throw new InvalidToolError(name, `has no option ${unknown.join(", ")}. There are: ${[...ownFields].join(", ")}.`);
}

const ownFields: ReadonlySet<string> = new Set([
  "name",
  "title",
  "description",
  "input",
  "execute",
  "readOnly",
  "idempotent",
  "timeoutMs",
  "idleTimeoutMs",
  "retry",
  "locks",
  "maxOutputChars",
  "onSessionRemoved",
  "onClose",
  "permission",
  "defaultAction",
  "toModelOutput",
  "examples",
  "strict",
  "providerOptions",
]);

function checkSchema(name: string, schema: unknown, field: string): void {
  if (typeof schema === "function") return;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new InvalidToolError(name, `has no ${field} schema. Set ${field} to a zod object, another Standard Schema or a JSON Schema.`);
  }
  if (isStandardSchema(schema)) return;
  // As a JSON Schema it would allow everything, and tell the model of nothing.
  if (Object.values(schema).some(isStandardSchema)) {
    throw new InvalidToolError(name, `has a record of schemas as its ${field}. Make one schema of them, e.g. z.object({ ${Object.keys(schema).join(", ")} }).`);
  }
  if (Object.keys(schema).length > 0 && !Object.keys(schema).some((key) => schemaKeywords.has(key))) {
    throw new InvalidToolError(name, `has a ${field} that is no schema: none of its keys (${Object.keys(schema).join(", ")}) is a keyword of JSON Schema. Write { type: "object", properties: { … } }.`);
  }
}

function isStandardSchema(value: unknown): boolean {
  return ((typeof value === "object" && value !== null) || typeof value === "function") && "~standard" in value;
}

/** Keywords that a JSON Schema of arguments can consist of; and `jsonSchema`, the AI SDK's wrapper around one. */
const schemaKeywords: ReadonlySet<string> = new Set([
  ..."$schema $id $ref $defs $comment definitions type properties required additionalProperties patternProperties propertyNames".split(" "),
  ..."unevaluatedProperties minProperties maxProperties dependentRequired dependentSchemas allOf anyOf oneOf not if then else".split(" "),
  ..."enum const items title description default examples deprecated jsonSchema".split(" "),
]);

function checkFunction(name: string, execute: unknown): void {
  if (typeof execute === "function") return;
  throw new InvalidToolError(name, "has nothing to execute. Set execute(input, context) to the function that does the work.");
}

const actions: ReadonlySet<unknown> = new Set(["allow", "deny", "ask"]);

/** By field, the types that it may have. */
type FieldTypes = Readonly<Record<string, string>>;

const commonTypes: FieldTypes = { title: "string", strict: "boolean", toModelOutput: "function", providerOptions: "object" };

const ownTypes: FieldTypes = { ...commonTypes, readOnly: "boolean", idempotent: "boolean", permission: "function", locks: "function", onSessionRemoved: "function", onClose: "function" };

/** Other fields of the AI SDK's tools are left alone: it gets new ones. */
const sdkTypes: FieldTypes = {
  ...commonTypes,
  description: "string or function",
  needsApproval: "boolean or function",
  onInputStart: "function",
  onInputDelta: "function",
  onInputAvailable: "function",
};

function checkTypes(name: string, fields: Record<string, unknown>, types: FieldTypes): void {
  for (const [field, allowed] of Object.entries(types)) {
    const value = fields[field];
    const fits = allowed.split(" or ").includes(typeof value) && (typeof value !== "object" || isRecord(value));
    if (value !== undefined && !fits) throw new InvalidToolError(name, `${field} must be of type ${allowed}.`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}

function checkOptions(name: string, fields: Record<string, unknown>): void {
  const { defaultAction, examples } = fields;
  checkLimits(name, fields);
  if (defaultAction !== undefined && !actions.has(defaultAction)) {
    throw new InvalidToolError(name, 'defaultAction must be "allow", "deny" or "ask".');
  }
  checkTypes(name, fields, ownTypes);
  if (examples !== undefined && !isListOf(examples, isRecord)) {
    throw new InvalidToolError(name, "examples must be a list of inputs, each an object as the model would send it.");
  }
}

function checkLimits(name: string, fields: Record<string, unknown>): void {
  for (const field of ["timeoutMs", "idleTimeoutMs"]) {
    const limitMs = fields[field];
    if (limitMs !== undefined && !(typeof limitMs === "number" && limitMs > 0 && limitMs <= maxTimeoutMs)) {
      throw new InvalidToolError(name, `${field} must be a number of milliseconds above 0 and at most ${maxTimeoutMs}.`);
    }
  }
  checkRetry(name, fields);
  const { maxOutputChars } = fields;
  if (maxOutputChars !== undefined && !(Number.isSafeInteger(maxOutputChars) && Number(maxOutputChars) >= minOutputChars)) {
    throw new InvalidToolError(name, `maxOutputChars must be a whole number of at least ${minOutputChars}.`);
  }
}

function checkRetry(name: string, { retry, readOnly, idempotent }: Record<string, unknown>): void {
  if (retry !== undefined && !(Number.isSafeInteger(retry) && Number(retry) >= 0)) throw new InvalidToolError(name, "retry must be a whole number of at least 0.");
  if (Number(retry ?? 0) > 0 && readOnly !== true && idempotent !== true) {
    throw new InvalidToolError(name, "has retry, and is neither readOnly nor idempotent: when it throws, nobody knows what it has done, and it must not run again by itself.");
  }
}
