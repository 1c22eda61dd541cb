/**
 * Token counts in disjoint buckets, finite and never negative: no token is counted in two of them. The size of the
 * context that was sent is `input + cache.read + cache.write`.
 */
export interface Tokens {
  /** Prompt tokens that were neither read from nor written to a cache. */
  input: number;
  /** Generated tokens, without reasoning. */
  output: number;
  /** Generated reasoning tokens. */
  reasoning: number;
  cache: {
    /** Prompt tokens read from the provider's cache. */
    read: number;
    /** Prompt tokens written to the provider's cache. */
    write: number;
  };
}

/** Size of the context that was sent, in tokens. */
export function contextTokens(tokens: Tokens): number {
  return tokens.input + tokens.cache.read + tokens.cache.write;
}

/** No tokens at all. A new object each time, so that nobody shares it. */
export function zeroTokens(): Tokens {
  return { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
}

/** The sum, bucket by bucket. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cache: { read: a.cache.read + b.cache.read, write: a.cache.write + b.cache.write },
  };
}
