/**
 * What we use of a schema that follows the Standard Schema specification (https://standardschema.dev): zod 4, Valibot,
 * ArkType and others. Written down here, so that no package is needed for its types.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** For type inference only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** The JSON Schema extension (https://standardschema.dev/json-schema): zod has it from 4.2 on. */
    readonly jsonSchema?: { readonly input: (options: { target: "draft-07" }) => Record<string, unknown> } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What the schema accepts. */
export type SchemaInput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["input"];

/** What the schema makes of it: with defaults filled in and transforms applied. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];
