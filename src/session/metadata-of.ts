import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { ProviderMetadata } from "../message/json.ts";
import { jsonClone } from "../util/json-clone.ts";

/** A copy of a provider's metadata: the provider may use its object again. */
export function copyMetadata(metadata: SharedV4ProviderMetadata): ProviderMetadata {
  // The SDK's JSON is read-only in the type; a fresh copy is nobody else's, so it may be written.
  return jsonClone(metadata) as ProviderMetadata;
}

/** A stream part's metadata, as a field to spread into a row. */
export function metadataOf(part: { providerMetadata?: SharedV4ProviderMetadata | undefined }): { metadata?: ProviderMetadata } {
  return part.providerMetadata === undefined ? {} : { metadata: copyMetadata(part.providerMetadata) };
}
