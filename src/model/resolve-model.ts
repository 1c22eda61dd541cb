import type { LanguageModelV4, ProviderV4 } from "@ai-sdk/provider";
import { InvalidArgumentError, MissingPackageError } from "../errors.ts";
import type { LanguageModel } from "./language-model.ts";

/**
 * Checks that a value looks like a model, without loading anything.
 *
 * @throws {InvalidArgumentError} it is neither a model id nor a model object
 */
export function assertLanguageModel(value: unknown, argument: string): asserts value is LanguageModel {
  if (typeof value === "string" && value !== "") return;
  if (value === undefined || value === null || value === "") {
    throw new InvalidArgumentError(argument, "a model is required. Pass an AI SDK model, e.g. anthropic(\"claude-sonnet-4-5\"), or a model id string.");
  }
  if (typeof value !== "object") {
    throw new InvalidArgumentError(argument, `expected an AI SDK language model or a model id string, got ${typeof value}.`);
  }
  assertModelObject(value, argument);
}

function assertModelObject(model: Partial<Record<keyof LanguageModelV4, unknown>>, argument: string): void {
  const { doStream, specificationVersion, provider, modelId } = model;
  // Provider and id are stored with every message, and choose the wire rules.
  if (typeof doStream !== "function" || typeof specificationVersion !== "string" || typeof provider !== "string" || typeof modelId !== "string") {
    throw new InvalidArgumentError(argument, "this object is not an AI SDK language model: it lacks doStream(), specificationVersion, provider or modelId.");
  }
  if (!["v4", "v3", "v2"].includes(specificationVersion)) {
    throw new InvalidArgumentError(argument, `model specification "${specificationVersion}" is not supported; v4, v3 and v2 are. Update the provider package or this one.`);
  }
}

/** Whether options are missing around a model. */
export function isBareModel(options: unknown): boolean {
  return typeof options === "string" || (typeof options === "object" && options !== null && "doStream" in options);
}

/** The V4 model behind a {@link LanguageModel}: at once for a V4 object, later where the AI SDK has to be loaded. */
export function resolveModel(model: LanguageModel): LanguageModelV4 | Promise<LanguageModelV4> {
  if (typeof model === "object" && model.specificationVersion === "v4") return model;
  return loadModel(model);
}

async function loadModel(model: Exclude<LanguageModel, LanguageModelV4>): Promise<LanguageModelV4> {
  const sdk = await import("ai").catch((cause: unknown) => {
    throw new MissingPackageError("ai", typeof model === "string" ? "A model id string" : `A model of specification ${model.specificationVersion}`, cause);
  });
  if (typeof model !== "string") return sdk.wrapLanguageModel({ model, middleware: [] });
  return (defaultProvider() ?? sdk.gateway).languageModel(model);
}

/** The provider that the host made the AI SDK's default, by the SDK's own convention. */
function defaultProvider(): ProviderV4 | undefined {
  // The global is declared by `ai` with its own provider union; only `languageModel` of it is used.
  return (globalThis as { AI_SDK_DEFAULT_PROVIDER?: ProviderV4 }).AI_SDK_DEFAULT_PROVIDER;
}
