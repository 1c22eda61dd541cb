import type { LanguageModel } from "throughline";

/** A provider that the demo can use when its key is set. Its package is loaded only then. */
interface Provider {
  key: string;
  packageName: string;
  modelID: string;
  load(modelID: string): Promise<LanguageModel>;
}

const providers: readonly Provider[] = [
  {
    key: "ANTHROPIC_API_KEY",
    packageName: "@ai-sdk/anthropic",
    modelID: "claude-sonnet-4-5",
    load: async (modelID) => (await import("@ai-sdk/anthropic")).anthropic(modelID),
  },
  {
    key: "OPENAI_API_KEY",
    packageName: "@ai-sdk/openai",
    modelID: "gpt-5-mini",
    load: async (modelID) => (await import("@ai-sdk/openai")).openai(modelID),
  },
];

/**
 * The model of the first provider whose key is set; `DEMO_MODEL` names another model of it.
 *
 * @throws {Error} no key is set, or the provider's package is not installed; the message says what to do
 */
export async function providerModel(environment: Readonly<Record<string, string | undefined>>): Promise<LanguageModel> {
  const isSet = ({ key }: Provider): boolean => (environment[key] ?? "") !== "";
  const provider = providers.find(isSet);
  if (provider === undefined) {
    const keys = providers.map(({ key }) => key).join(" or ");
    throw new Error(`To answer your own question the demo needs a real model: set ${keys}. Without a question it runs offline: npm run demo`);
  }
  try {
    return await provider.load(environment["DEMO_MODEL"] ?? provider.modelID);
  } catch (cause) {
    throw new Error(`${provider.key} is set, but the package ${provider.packageName} cannot be loaded. Install it: npm install ${provider.packageName}`, { cause });
  }
}
