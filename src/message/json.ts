/** Any value that JSON can carry. */
export type JSONValue = null | string | number | boolean | JSONValue[] | { [key: string]: JSONValue | undefined };

/** A JSON object. */
export type JSONObject = { [key: string]: JSONValue | undefined };

/**
 * What a provider attached to a part, by provider namespace: signatures, item ids, encrypted reasoning. Opaque: it is
 * stored verbatim and returned only to the model that made it.
 */
export type ProviderMetadata = { [provider: string]: JSONObject };
