import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";

/**
 * Any language model of the AI SDK: a model object of specification V4 (used as it is), V3 or V2 (through the SDK's
 * adapter, loaded when first needed), or a model id string (resolved by the SDK's default provider).
 */
export type LanguageModel = string | LanguageModelV4 | LanguageModelV3 | LanguageModelV2;
