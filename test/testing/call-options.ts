import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** Options of a call with one user message. */
export function ask(text = "Hello", more: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions {
  return { prompt: [{ role: "user", content: [{ type: "text", text }] }], ...more };
}

/** What a reader saw of a stream: its parts, and the error that broke it. */
export async function readAll(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<{ parts: LanguageModelV4StreamPart[]; error?: unknown }> {
  const parts: LanguageModelV4StreamPart[] = [];
  try {
    for await (const part of stream) parts.push(part);
    return { parts };
  } catch (error) {
    return { parts, error };
  }
}

/** The texts of all deltas. */
export function deltasOf(parts: readonly LanguageModelV4StreamPart[]): string[] {
  return parts.flatMap((part) => ("delta" in part ? [part.delta] : []));
}

/** The types of all parts. */
export function typesOf(parts: readonly LanguageModelV4StreamPart[]): string[] {
  return parts.map((part) => part.type);
}
