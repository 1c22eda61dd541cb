import { z } from "zod";
import type { JSONObject, JSONValue, ProviderMetadata } from "../message/json.ts";

/** Any value that JSON can carry. */
export const jsonValueSchema: z.ZodType<JSONValue> = z.lazy(() =>
  z.union([z.null(), z.string(), z.number(), z.boolean(), z.array(jsonValueSchema), jsonObjectSchema]),
);

/** A JSON object. */
export const jsonObjectSchema: z.ZodType<JSONObject> = z.record(z.string(), jsonValueSchema.optional());

/** What a provider attached to a part, by provider namespace. */
export const providerMetadataSchema: z.ZodType<ProviderMetadata> = z.record(z.string(), jsonObjectSchema);
