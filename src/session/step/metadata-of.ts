import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { ProviderMetadata } from "../../message/json.ts";
import { toJSONSafe } from "../../util/json-safe.ts";

/** A copy of a provider's metadata: the provider may use its object again. What is no object of objects is none. */
export function copyMetadata(metadata: SharedV4ProviderMetadata | undefined): ProviderMetadata | undefined {
  if (!isObject(metadata)) return undefined;
  // The SDK's JSON is read-only in the type; a fresh copy is nobody else's, so it may be written.
  const copy = toJSONSafe(metadata) as ProviderMetadata;
  for (const [provider, fields] of Object.entries(copy)) if (!isObject(fields)) Reflect.deleteProperty(copy, provider);
  return copy;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A stream part's metadata, as a field to spread into a row. */
export function metadataOf(part: { providerMetadata?: SharedV4ProviderMetadata | undefined }): { metadata?: ProviderMetadata } {
  const metadata = copyMetadata(part.providerMetadata);
  return metadata === undefined ? {} : { metadata };
}
