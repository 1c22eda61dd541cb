import type { JSONSchema7, JSONSchema7Definition } from "@ai-sdk/provider";

/** More would bury the point of an error message. */
const maxLength = 300;
/** How deep a form is spelled out; also what ends a schema that refers to itself. */
const maxDepth = 3;

/**
 * What a JSON Schema wants at a path, in words for the model: `integer from 1 to 2000 (Number of lines)`.
 *
 * @returns `undefined` where the schema says nothing
 */
export function expectedForm(root: JSONSchema7, path: readonly (string | number)[]): string | undefined {
  let schema: JSONSchema7 | undefined = root;
  for (const segment of path) {
    schema = schema && step(resolve(schema, root), segment, root);
  }
  if (schema === undefined) return undefined;
  const form = describe(schema, root, 0);
  if (form === "") return undefined;
  const text = schema.description === undefined || path.length === 0 ? form : `${form} (${schema.description})`;
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function step(schema: JSONSchema7, segment: string | number, root: JSONSchema7): JSONSchema7 | undefined {
  const direct = typeof segment === "number" ? itemSchema(schema, segment) : propertySchema(schema, segment);
  if (direct !== undefined) return direct;
  for (const alternative of alternatives(schema)) {
    const found = step(resolve(alternative, root), segment, root);
    if (found !== undefined) return found;
  }
  return undefined;
}

function propertySchema(schema: JSONSchema7, name: string): JSONSchema7 | undefined {
  const { properties, additionalProperties } = schema;
  // Own properties only: the name comes from the model, and may be "constructor".
  if (properties !== undefined && Object.hasOwn(properties, name)) return asSchema(properties[name]);
  return asSchema(additionalProperties);
}

function itemSchema(schema: JSONSchema7, index: number): JSONSchema7 | undefined {
  return asSchema(Array.isArray(schema.items) ? schema.items[index] : schema.items);
}

/** Follows references within the schema. */
function resolve(schema: JSONSchema7, root: JSONSchema7): JSONSchema7 {
  let current = schema;
  for (let hops = 0; current.$ref !== undefined && hops < maxDepth; hops += 1) {
    const [, group, name] = /^#\/(definitions|\$defs)\/([^/]+)$/.exec(current.$ref) ?? [];
    const definitions = group === "$defs" ? root.$defs : root.definitions;
    const target = name === undefined || definitions === undefined ? undefined : asSchema(definitions[name]);
    if (target === undefined) return current;
    current = target;
  }
  return current;
}

function describe(unresolved: JSONSchema7, root: JSONSchema7, depth: number): string {
  const schema = resolve(unresolved, root);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  const forms = alternatives(schema).map((alternative) => (depth < maxDepth ? describe(alternative, root, depth + 1) : "…"));
  const known = [...new Set(forms)].filter((form) => form !== "");
  if (known.length > 0) return known.join(", or ");
  return types(schema)
    .map((type) => describeType(type, schema, root, depth))
    .join(" or ");
}

function describeType(type: string, schema: JSONSchema7, root: JSONSchema7, depth: number): string {
  switch (type) {
    case "object":
      return describeObject(schema);
    case "array": {
      const item = itemSchema(schema, 0);
      const items = item === undefined || depth >= maxDepth ? "" : describe(item, root, depth + 1);
      return `list${items === "" ? "" : ` of: ${items}`}${range(schema.minItems, schema.maxItems, " items")}`;
    }
    case "string":
      return `string${schema.format === undefined ? "" : ` (${schema.format})`}${range(schema.minLength, schema.maxLength, " characters")}${schema.pattern === undefined ? "" : ` matching ${schema.pattern}`}`;
    case "number":
    case "integer":
      return `${type}${describeBounds(schema)}`;
    default:
      return type;
  }
}

function describeObject({ properties = {}, required = [] }: JSONSchema7): string {
  const fields = Object.keys(properties).map((name) => (required.includes(name) ? `${name} (required)` : name));
  return fields.length === 0 ? "object" : `object with ${fields.join(", ")}`;
}

function describeBounds(schema: JSONSchema7): string {
  const above = schema.exclusiveMinimum === undefined ? "" : ` above ${schema.exclusiveMinimum}`;
  const below = schema.exclusiveMaximum === undefined ? "" : ` below ${schema.exclusiveMaximum}`;
  // Converters write the range of safe integers as bounds; the model would only wonder at them.
  const minimum = schema.minimum === Number.MIN_SAFE_INTEGER ? undefined : schema.minimum;
  const maximum = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  return `${above}${below}${range(minimum, maximum, "")}`;
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string {
  if (minimum === undefined && maximum === undefined) return "";
  if (maximum === undefined) return `, at least ${minimum}${unit}`;
  if (minimum === undefined) return `, at most ${maximum}${unit}`;
  return ` from ${minimum} to ${maximum}${unit}`;
}

function alternatives(schema: JSONSchema7): JSONSchema7[] {
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((definition) => asSchema(definition) ?? []);
}

function types(schema: JSONSchema7): string[] {
  if (schema.type !== undefined) return Array.isArray(schema.type) ? schema.type : [schema.type];
  return schema.properties === undefined ? [] : ["object"];
}

function asSchema(definition: JSONSchema7Definition | undefined): JSONSchema7 | undefined {
  return typeof definition === "object" ? definition : undefined;
}
