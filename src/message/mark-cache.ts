import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ProviderMetadata } from "./json.ts";

/** One after the system text, and two at the end: the newer one is written for the next request, the older one is read. */
const markedMessages = 2;

/**
 * Marks where the provider should cache: after the last system text, and after the last two messages. Nothing else of the
 * prompt changes. A prompt in which the host has set such a mark itself stays as it is.
 *
 * @param mark the profile's `cacheMark`
 * @returns a new list with the marked messages copied; the prompt itself when nothing is to be marked
 */
export function markCache(prompt: LanguageModelV4Prompt, mark: ProviderMetadata | undefined): LanguageModelV4Prompt {
  if (mark === undefined || prompt.some((message) => isMarked(message, mark))) return prompt;
  const firstMessage = prompt.findIndex(({ role }) => role !== "system");
  const end = firstMessage === -1 ? prompt.length : firstMessage;
  return prompt.map((message, index) => {
    const isLast = index >= end && index >= prompt.length - markedMessages;
    return index === end - 1 || isLast ? Object.assign({}, message, { providerOptions: merge(message.providerOptions, mark) }) : message;
  });
}

function isMarked({ providerOptions }: LanguageModelV4Message, mark: ProviderMetadata): boolean {
  if (providerOptions === undefined) return false;
  return Object.entries(mark).some(([provider, options]) => Object.keys(options).some((name) => providerOptions[provider]?.[name] !== undefined));
}

function merge(given: LanguageModelV4Message["providerOptions"], mark: ProviderMetadata): SharedV4ProviderOptions {
  const merged: SharedV4ProviderOptions = Object.assign({}, given);
  for (const [provider, options] of Object.entries(mark)) merged[provider] = Object.assign({}, merged[provider], options);
  return merged;
}
