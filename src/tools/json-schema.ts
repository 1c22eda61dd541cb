/**
 * A JSON Schema, draft 4 to 2020-12, as far as tools need its words spelled out; any other keyword is allowed too. Lists
 * may be read-only and `type` any string, so that a schema from a constant fits as it is.
 */
export interface JSONSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, JSONSchema | boolean>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: JSONSchema | boolean | undefined;
  readonly items?: JSONSchema | boolean | readonly (JSONSchema | boolean)[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly anyOf?: readonly (JSONSchema | boolean)[] | undefined;
  readonly oneOf?: readonly (JSONSchema | boolean)[] | undefined;
  readonly allOf?: readonly (JSONSchema | boolean)[] | undefined;
  readonly $ref?: string | undefined;
  readonly [keyword: string]: unknown;
}
