import type { JSONSchema } from "../../tools/json-schema.ts";
import type { SchemaOutput, StandardSchema } from "../../tools/standard-schema.ts";

/** A schema of the AI SDK: what its `jsonSchema()` and `zodSchema()` return. */
interface SDKSchema<T = unknown> {
  readonly _type: T;
  readonly jsonSchema: unknown;
}

/** The form that a prompt wants its answer in. */
export type Format =
  | { readonly type: "text" }
  | {
      readonly type: "json_schema";
      /** A schema of zod or of another library of Standard Schema, one of the AI SDK, or a JSON Schema. An object at its root. */
      readonly schema: StandardSchema | SDKSchema | JSONSchema;
      /** How often a model that gives another answer is told so and asked again. Default 2. */
      readonly retryCount?: number | undefined;
    };

/** What a prompt with this format has as `output`: the type that its schema says, `unknown` for a plain JSON Schema. */
export type OutputOf<F> = F extends { readonly type: "json_schema"; readonly schema: infer Schema }
  ? Schema extends StandardSchema
    ? SchemaOutput<Schema>
    : Schema extends SDKSchema<infer Output>
      ? Output
      : unknown
  : undefined;
