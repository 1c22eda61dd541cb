import { InvalidArgumentError } from "../../errors.ts";
import type { JSONObject } from "../../message/json.ts";
import type { StoredFormat } from "../../message/message.ts";
import { describeSchema } from "../../tools/compile-input.ts";
import { checkOptions, type OptionCheck } from "../../util/check-options.ts";
import { errorMessage } from "../../util/error-message.ts";
import { toJSONSafe } from "../../util/json-safe.ts";
import { defaultOutputRetries } from "../defaults.ts";
import type { Format } from "./format.ts";

type JSONFormat = Extract<Format, { type: "json_schema" }>;

const anything: OptionCheck = () => undefined;

const schema: OptionCheck = (value, argument) => {
  const isSchema = (typeof value === "object" && value !== null && !Array.isArray(value)) || typeof value === "function";
  if (!isSchema) throw new InvalidArgumentError(argument, 'expected a schema, e.g. z.object({ title: z.string() }) or { type: "object", properties: { title: { type: "string" } } }.');
};

const retries: OptionCheck = (value, argument) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new InvalidArgumentError(argument, "expected a whole number of at least 0.");
};

/** Checks the format of a prompt. */
export const checkFormat: OptionCheck = (value, argument) => {
  const type: unknown = (value as Format | null)?.type;
  if (type === "text") checkOptions(argument, value as Extract<Format, { type: "text" }>, { type: anything });
  else if (type === "json_schema") checkOptions(argument, value as JSONFormat, { type: anything, schema, retryCount: retries }, ["schema"]);
  else throw new InvalidArgumentError(argument, 'expected { type: "json_schema", schema } or { type: "text" }.');
};

/**
 * The format as it is stored: its schema as JSON Schema, whatever it was.
 *
 * @throws {InvalidArgumentError} the schema cannot be written as JSON Schema, or does not describe an object
 */
export function toStoredFormat(format: Format): StoredFormat {
  if (format.type === "text") return { type: "text" };
  const argument = "prompt.options.format.schema";
  const described = describe(format.schema, argument);
  if (described === undefined) throw new InvalidArgumentError(argument, "it cannot describe itself as JSON Schema at once. Use zod 4.2 or newer, or give a JSON Schema.");
  if (described["type"] !== "object") throw new InvalidArgumentError(argument, `it describes ${JSON.stringify(described["type"])}. Models answer with an object: wrap the value in one.`);
  return { type: "json_schema", schema: described, retryCount: format.retryCount ?? defaultOutputRetries };
}

function describe(given: unknown, argument: string): JSONObject | undefined {
  try {
    const described = describeSchema("StructuredOutput", given);
    // What JSON carries of an object is an object.
    return described && (toJSONSafe(described) as JSONObject);
  } catch (error) {
    throw new InvalidArgumentError(argument, errorMessage(error));
  }
}
