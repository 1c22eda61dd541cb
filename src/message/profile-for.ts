import type { ModelProfile } from "./model-profile.ts";
import { modelProfiles, type ModelProfileName } from "./model-profiles.ts";
import { toModelRef, type ModelRef } from "./model-ref.ts";

interface ProfileRule {
  /** Of the AI SDK's `model.provider`, e.g. `google.vertex.chat`. */
  provider: RegExp;
  /** Of the model id, when the provider alone does not decide. */
  model?: RegExp;
  profile: ModelProfileName;
}

/** The first rule that fits decides: one vendor's models are also served by others. */
const rules: readonly ProfileRule[] = [
  { provider: /(vertex|bedrock).*anthropic/, profile: "anthropicCloud" },
  { provider: /anthropic/, profile: "anthropic" },
  // Open models in a cloud's OpenAI dialect, such as `googlevertex.maas.chat`, are not Gemini.
  { provider: /^(google(\.|$)|vertex)/, model: /gemini-(?:[3-9]|\d{2})/, profile: "gemini3" },
  { provider: /^(google(\.|$)|vertex)/, profile: "google" },
  { provider: /^deepseek|\.deepseek/, profile: "deepseek" },
  { provider: /^(openai|azure|azure-openai|bedrock-mantle)\.(chat|completion)$/, profile: "openaiChat" },
  { provider: /^(openai|azure|azure-openai|bedrock-mantle)(\.|$)/, profile: "openaiResponses" },
  { provider: /^mistral/, profile: "mistral" },
  { provider: /^groq/, profile: "groq" },
  { provider: /^xai\.responses/, profile: "xai" },
  // Bedrock user guide, "supported models" of prompt caching.
  { provider: /bedrock/, model: /claude-(?:3-7|3-5-haiku|(?:opus|sonnet|haiku)-\d)|nova-/, profile: "bedrock" },
  { provider: /bedrock/, profile: "bedrockUncached" },
  // Their own chat templates refuse what their own service refuses, whoever serves them.
  { provider: /./, model: /mistral|mixtral|codestral|devstral|ministral|magistral/, profile: "mistral" },
  { provider: /^(alibaba|baseten|cerebras|deepinfra|fireworks|moonshotai|openrouter|togetherai|vercel)/, profile: "openaiCompatibleLenient" },
  // The names that `createOpenAICompatible` gives.
  { provider: /\.(chat|completion)$|^openai-compatible/, profile: "openaiCompatible" },
];

/** Vendor prefixes of gateway model ids, as the provider names that the rules know. */
const vendors: Readonly<Record<string, string>> = {
  amazon: "amazon-bedrock",
  anthropic: "anthropic.messages",
  deepseek: "deepseek.chat",
  google: "google.generative-ai",
  mistral: "mistral.chat",
  openai: "openai.responses",
  xai: "xai.responses",
};

/**
 * The wire rules of a model, by its provider and id. A model that is unknown gets `modelProfiles.default`, which every
 * known provider accepts.
 *
 * @param model an AI SDK model object, or a stored reference to one
 * @throws {InvalidArgumentError} it is none of the two, e.g. a model id
 * @example
 * profileFor(anthropic("claude-sonnet-4-5")).name // "anthropic"
 */
export function profileFor(model: ModelRef | { provider: string; modelId: string }): ModelProfile {
  const { providerID, modelID } = toModelRef(model, "profileFor.model");
  return profileOf(providerID.toLowerCase(), modelID.toLowerCase());
}

function profileOf(provider: string, modelID: string): ModelProfile {
  const vendor = provider.startsWith("gateway") ? vendors[modelID.split("/", 1)[0] ?? ""] : undefined;
  if (vendor !== undefined) return profileOf(vendor, modelID);
  const rule = rules.find((candidate) => candidate.provider.test(provider) && (candidate.model?.test(modelID) ?? true));
  return modelProfiles[rule?.profile ?? "default"];
}
