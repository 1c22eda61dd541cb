import type { JSONSchema7, JSONSchema7Definition } from "@ai-sdk/provider";

/**
 * The schema with `additionalProperties: false` on every object that does not say anything about further properties.
 * Providers refuse a strict tool without it, and schema libraries leave it out of what they accept.
 */
export function closeObjects(schema: JSONSchema7): JSONSchema7 {
  const { properties, items, anyOf, oneOf, allOf, definitions, $defs } = schema;
  return {
    ...schema,
    ...(schema.type === "object" && schema.additionalProperties === undefined && { additionalProperties: false }),
    ...(properties !== undefined && { properties: closeEach(properties) }),
    ...(items !== undefined && { items: Array.isArray(items) ? items.map(close) : close(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(close) }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(close) }),
    ...(allOf !== undefined && { allOf: allOf.map(close) }),
    ...(definitions !== undefined && { definitions: closeEach(definitions) }),
    ...($defs !== undefined && { $defs: closeEach($defs) }),
  };
}

function close(definition: JSONSchema7Definition): JSONSchema7Definition {
  return typeof definition === "object" ? closeObjects(definition) : definition;
}

function closeEach(definitions: Record<string, JSONSchema7Definition>): Record<string, JSONSchema7Definition> {
  return Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, close(definition)]));
}
