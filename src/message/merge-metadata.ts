import type { ProviderMetadata } from "./json.ts";

/**
 * What a block's start, deltas and end say together. Within a provider's namespace later fields win: a signature comes
 * with a delta, the final encrypted content with the end.
 */
export function mergeMetadata(earlier: ProviderMetadata | undefined, later: ProviderMetadata | undefined): ProviderMetadata | undefined {
  if (later === undefined) return earlier;
  if (earlier === undefined) return later;
  const merged = { ...earlier };
  for (const [provider, fields] of Object.entries(later)) merged[provider] = { ...merged[provider], ...fields };
  return merged;
}
