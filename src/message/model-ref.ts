import { InvalidArgumentError } from "../errors.ts";

/** Which model: the AI SDK's `model.provider` and `model.modelId`. */
export interface ModelRef {
  providerID: string;
  modelID: string;
}

/**
 * A model's stored reference, from the model object or from itself.
 *
 * @param alternative what else the caller's argument may be, for the message
 * @throws {InvalidArgumentError} it is none of the two, e.g. a model id
 */
export function toModelRef(model: unknown, argument: string, alternative = ""): ModelRef {
  if (typeof model === "object" && model !== null) {
    // Each field is looked at before it is used; the cast only lets them be named.
    const { providerID, modelID, provider, modelId } = model as Record<string, unknown>;
    if (typeof providerID === "string" && typeof modelID === "string") return { providerID, modelID };
    if (typeof provider === "string" && typeof modelId === "string") return { providerID: provider, modelID: modelId };
  }
  const given = typeof model === "string" ? `the text "${model}"` : typeof model;
  throw new InvalidArgumentError(argument, `expected a model object, e.g. anthropic("claude-sonnet-4-5"), its { providerID, modelID }${alternative}; got ${given}.`);
}
