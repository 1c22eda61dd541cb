import type { JSONSchema7 } from "@ai-sdk/provider";
import type { FlexibleSchema, Schema } from "ai";
import { InvalidToolError, MissingPackageError } from "../errors.ts";
import type { JSONObject } from "../message/json.ts";
import { toJSONSafe } from "../util/json-safe.ts";
import type { ParseOutcome } from "./compiled-tool.ts";
import { fromError, fromIssues, locateProblems } from "./input-problems.ts";
import { createJSONSchemaValidator } from "./json-schema-validator.ts";
import type { StandardSchema } from "./standard-schema.ts";
import { errorMessage } from "../util/error-message.ts";

/** A tool's input: what the provider is told, and how a value is checked. */
export interface CompiledInput {
  inputSchema: JSONSchema7;
  parse(raw: unknown): ParseOutcome | Promise<ParseOutcome>;
}

type Check = CompiledInput["parse"];

/**
 * Compiles any form of input schema. Synchronous unless something must be loaded: the validator for a plain JSON Schema,
 * or `ai` for zod schemas that cannot describe themselves (zod mini, zod before 4.2).
 *
 * @throws {InvalidToolError} the schema has no JSON Schema form; also as a rejection
 */
export function compileInput(tool: string, schema: unknown): CompiledInput | Promise<CompiledInput> {
  // Standard Schema first: some libraries' schemas are functions.
  if (isStandardSchema(schema)) return compileStandardSchema(tool, schema);
  if (isSDKSchema(schema)) return compileSDKSchema(tool, schema);
  if (isLazySchema(schema)) return compileInput(tool, schema());
  return compileJSONSchema(schema);
}

/**
 * The JSON Schema of any form of input schema, at once: `undefined` for the few that need something loaded to describe themselves.
 *
 * @throws {InvalidToolError} the schema has no JSON Schema form
 */
export function describeSchema(tool: string, schema: unknown): JSONSchema7 | undefined {
  if (isStandardSchema(schema)) {
    const { jsonSchema } = schema["~standard"];
    return jsonSchema && rootSchema(describing(tool, () => jsonSchema.input({ target: "draft-07" })));
  }
  if (isSDKSchema(schema)) {
    const described = describing(tool, () => schema.jsonSchema);
    return "then" in described ? undefined : rootSchema(described);
  }
  return isLazySchema(schema) ? describeSchema(tool, schema()) : rootSchema(schema);
}

function compileStandardSchema(tool: string, schema: StandardSchema): CompiledInput | Promise<CompiledInput> {
  const { jsonSchema, vendor } = schema["~standard"];
  if (jsonSchema !== undefined) {
    const described = describing(tool, () => jsonSchema.input({ target: "draft-07" }));
    return withCheck(rootSchema(described), checkStandard(schema));
  }
  if (vendor === "zod") return compileWithSDK(tool, schema);
  throw new InvalidToolError(
    tool,
    `its input schema (of ${vendor}) cannot describe itself as JSON Schema. Use a version of the library that supports ` +
      "Standard JSON Schema, or zod 4.2 or newer, or give a JSON Schema.",
  );
}

/** A number of AI SDK schemas describe themselves only after a promise. */
function compileSDKSchema(tool: string, schema: Schema): CompiledInput | Promise<CompiledInput> {
  const described = describing(tool, () => schema.jsonSchema);
  const finish = (jsonSchema: unknown): CompiledInput | Promise<CompiledInput> => {
    const { validate } = schema;
    if (validate === undefined) return compileJSONSchema(jsonSchema);
    return withCheck(rootSchema(jsonSchema), async (raw) => {
      const result = await validate.call(schema, raw);
      return result.success ? { ok: true, value: result.value } : { ok: false, problems: fromError(result.error) };
    });
  };
  return "then" in described ? Promise.resolve(described).then(finish) : finish(described);
}

async function compileWithSDK(tool: string, schema: StandardSchema): Promise<CompiledInput> {
  const { asSchema } = await import("ai").catch((cause: unknown) => {
    throw new MissingPackageError("ai", `The input schema of tool "${tool}" (zod before 4.2, or zod mini)`, cause);
  });
  // The vendor is zod: the SDK knows its schemas by other fields than ours, and takes every one of them.
  return compileSDKSchema(tool, asSchema(schema as FlexibleSchema<unknown>));
}

async function compileJSONSchema(schema: unknown): Promise<CompiledInput> {
  return withCheck(rootSchema(schema), await createJSONSchemaValidator(toObject(schema)));
}

function withCheck(inputSchema: JSONSchema7, check: Check): CompiledInput {
  const located = (outcome: ParseOutcome, raw: unknown): ParseOutcome =>
    outcome.ok ? outcome : { ok: false, problems: locateProblems(outcome.problems, raw, inputSchema) };
  return {
    inputSchema,
    parse: (raw) => {
      const outcome = check(raw);
      return outcome instanceof Promise ? outcome.then((settled) => located(settled, raw)) : located(outcome, raw);
    },
  };
}

function checkStandard(schema: StandardSchema): Check {
  const toOutcome = (result: Awaited<ReturnType<StandardSchema["~standard"]["validate"]>>): ParseOutcome =>
    result.issues === undefined ? { ok: true, value: result.value } : { ok: false, problems: fromIssues(result.issues) };
  return (raw) => {
    const result = schema["~standard"].validate(raw);
    // Any thenable: one that was taken for an answer would pass as valid.
    return "then" in result ? Promise.resolve(result).then(toOutcome) : toOutcome(result);
  };
}

/** Providers want the type at the root written out, with the properties of an object, and some refuse `$schema`. */
function rootSchema(schema: unknown): JSONSchema7 {
  const { $schema: _dropped, type = "object", ...rest } = toObject(schema);
  // A schema is whatever its author wrote; the provider is the one to judge its keywords.
  return { type, ...(type === "object" && { properties: {} }), ...rest } as JSONSchema7;
}

function toObject(schema: unknown): JSONObject {
  const copy = toJSONSafe(schema);
  return typeof copy === "object" && copy !== null && !Array.isArray(copy) ? copy : {};
}

function describing<T>(tool: string, describe: () => T): T {
  try {
    return describe();
  } catch (error) {
    const reason = errorMessage(error);
    throw new InvalidToolError(tool, `its input schema cannot be written as JSON Schema: ${reason}. Use types that JSON has, and convert in execute.`);
  }
}

function isStandardSchema(schema: unknown): schema is StandardSchema {
  return ((typeof schema === "object" && schema !== null) || typeof schema === "function") && "~standard" in schema;
}

function isLazySchema(schema: unknown): schema is () => unknown {
  return typeof schema === "function";
}

/** The mark by which the AI SDK knows its own schemas. */
function isSDKSchema(schema: unknown): schema is Schema {
  return typeof schema === "object" && schema !== null && Symbol.for("vercel.ai.schema") in schema;
}
