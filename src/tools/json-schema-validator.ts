import type { OutputUnit, Schema, SchemaDraft } from "@cfworker/json-schema";
import type { JSONObject } from "../message/json.ts";
import { toJSONSafe } from "../util/json-safe.ts";
import type { InputProblem, ParseOutcome } from "./compiled-tool.ts";
import { errorMessage } from "../util/error-message.ts";

/** These only say that something inside them is wrong, and the list goes on with what. */
const wrappers: ReadonlySet<string> = new Set([
  "$ref",
  "$recursiveRef",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "dependentSchemas",
  "if",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** What is wrong inside every alternative is noise: that none fits is the message. */
const unions: ReadonlySet<string> = new Set(["anyOf", "oneOf"]);

/**
 * Makes the check of a plain JSON Schema. The validator is loaded here, with the first tool that needs it; it interprets
 * the schema, without `eval`, so that it also runs where code from strings is forbidden.
 */
export async function createJSONSchemaValidator(schema: JSONObject): Promise<(value: unknown) => ParseOutcome> {
  const { Validator } = await import("@cfworker/json-schema");
  // A copy, as the validator marks the schemas it has seen. The cast is right: a schema is a JSON object, and keywords of a
  // wrong type make `validate` throw, which is caught below.
  const validator = new Validator(toJSONSafe(schema) as Schema, draftOf(schema), false);
  return (value) => {
    try {
      const { valid, errors } = validator.validate(value);
      return valid ? { ok: true, value } : { ok: false, problems: toProblems(errors) };
    } catch (error) {
      return { ok: false, problems: [{ path: [], message: `The tool's own schema cannot be checked: ${errorMessage(error)}` }] };
    }
  };
}

function draftOf({ $schema }: JSONObject): SchemaDraft {
  const [, draft] = /draft-0(4|7)/.exec(typeof $schema === "string" ? $schema : "") ?? [];
  return draft === "4" || draft === "7" ? draft : "2020-12";
}

function toProblems(errors: readonly OutputUnit[]): InputProblem[] {
  const failedUnions = errors.filter(({ keyword }) => unions.has(keyword));
  const causes = errors.filter((error) => !wrappers.has(error.keyword) && !failedUnions.some((union) => isInside(error, union)));
  return causes.map(toProblem);
}

/** A forbidden property's error has no location in the schema, so its place in the value must do. */
function isInside(error: OutputUnit, union: OutputUnit): boolean {
  if (error === union) return false;
  return error.keyword === "false"
    ? `${error.instanceLocation}/`.startsWith(`${union.instanceLocation}/`)
    : error.keywordLocation.startsWith(`${union.keywordLocation}/`);
}

function toProblem({ keyword, instanceLocation, error }: OutputUnit): InputProblem {
  const path = toPath(instanceLocation);
  const quoted = /"(.*)"/.exec(error)?.[1] ?? "";
  switch (keyword) {
    case "required":
      return { path: [...path, quoted], message: "This field is required." };
    case "false":
      return { path: path.slice(0, -1), message: `There is no field ${JSON.stringify(path.at(-1) ?? "")}.` };
    case "type":
      return { path, message: "The value has the wrong type." };
    case "enum":
    case "const":
      return { path, message: "The value is not one of those allowed." };
    case "anyOf":
    case "oneOf":
      return { path, message: "The value fits none of the allowed forms, or more than one." };
    default:
      return { path, message: error };
  }
}

/** From a JSON pointer in a URI fragment. */
function toPath(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((segment) => (/^(0|[1-9]\d*)$/.test(segment) ? Number(segment) : segment));
}
