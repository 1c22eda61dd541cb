import type { JSONObject } from "../message/json.ts";
import { checkTool } from "./check-tool.ts";
import type { SchemaInput, SchemaOutput, StandardSchema } from "./standard-schema.ts";
import type { Tool } from "./tool.ts";

/**
 * Defines a tool. The types of `execute`'s input come from the schema.
 *
 * @throws {InvalidToolError} when the description, the input schema or `execute` is missing, or an option is wrong
 *
 * @example
 * const readFile = defineTool({
 *   description: "Reads a text file. Use it before you change a file.",
 *   input: z.object({ path: z.string().describe("Path of the file") }),
 *   readOnly: true,
 *   execute: ({ path }, { abortSignal }) => fs.readFile(path, { encoding: "utf8", signal: abortSignal }),
 * })
 */
export function defineTool<Schema extends StandardSchema, Result>(
  definition: Omit<Tool<SchemaOutput<Schema>, Result, SchemaInput<Schema>>, "input"> & { input: Schema },
): Tool<SchemaOutput<Schema>, Result, SchemaInput<Schema>>;
/**
 * Defines a tool by a JSON Schema, or by a schema of the AI SDK. A JSON Schema carries no types: give them yourself.
 *
 * @example
 * const readFile = defineTool<{ path: string }>({
 *   description: "Reads a text file.",
 *   input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
 *   execute: ({ path }) => fs.readFile(path, "utf8"),
 * })
 */
export function defineTool<Input = JSONObject, Result = unknown>(definition: Tool<Input, Result, Input>): Tool<Input, Result, Input>;
export function defineTool(definition: Tool): Tool {
  // Typed callers cannot get this wrong, but JavaScript callers can: then the definition may be anything.
  const name: unknown = (definition as Partial<Tool> | undefined)?.name;
  checkTool(typeof name === "string" ? name : "", definition);
  return definition;
}
