import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { markCache } from "../../message/mark-cache.ts";
import type { ModelProfile } from "../../message/model-profile.ts";
import { offeredTools } from "../calls/offered-tools.ts";
import type { ProcessInput } from "./process-input.ts";
import type { CatalogEntry } from "../calls/tool-catalog.ts";

/** The options of a step's model call, without its signal. */
export function callOptions(input: ProcessInput, entries: readonly CatalogEntry[], profile: ModelProfile): LanguageModelV4CallOptions {
  const offered = offeredTools(entries, input, profile);
  const options: LanguageModelV4CallOptions = Object.assign({ prompt: promptOf(input, profile) }, offered, input.settings);
  if (input.providerOptions !== undefined) options.providerOptions = input.providerOptions;
  return options;
}

function promptOf({ system, messages }: ProcessInput, { cacheMark }: ModelProfile): LanguageModelV4Prompt {
  const text = (typeof system === "string" ? [system] : (system ?? [])).filter((section) => section.trim() !== "").join("\n\n");
  const prompt: LanguageModelV4Prompt = text === "" ? messages : [{ role: "system", content: text }, ...messages];
  return markCache(prompt, cacheMark);
}
