import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4ToolChoice, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { UserMessage } from "../../message/message.ts";
import type { ModelProfile } from "../../message/model-profile.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import type { LanguageModel } from "../../model/language-model.ts";
import type { PermissionPolicy } from "../../permission/permission-policy.ts";
import type { ToolRecord, ToolRegistry } from "../../tools/tool-registry.ts";

/** Settings of a model call, in the AI SDK's words. What is not set is the provider's default. */
export type CallSettings = Pick<
  LanguageModelV4CallOptions,
  "maxOutputTokens" | "temperature" | "topP" | "topK" | "presencePenalty" | "frequencyPenalty" | "stopSequences" | "seed" | "reasoning" | "headers"
>;

/** What one step of the model needs. */
export interface ProcessInput {
  session: Pick<SessionInfo, "id" | "rootID"> & Partial<Pick<SessionInfo, "directory" | "metadata">>;
  /** The prompt that the step answers. */
  user: UserMessage;
  /** Name of the agent. */
  agent: string | { name: string };
  /** The instructions; several are joined by blank lines. */
  system?: string | readonly string[] | undefined;
  /** The conversation without the instructions; `toModelMessages` makes it. */
  messages: LanguageModelV4Prompt;
  tools?: ToolRecord | ToolRegistry | undefined;
  model: LanguageModel;
  /** Wire rules of the model. Default: chosen by `profileFor(model)`. */
  profile?: ModelProfile | undefined;
  toolChoice?: LanguageModelV4ToolChoice | undefined;
  abortSignal?: AbortSignal | undefined;
  settings?: CallSettings | undefined;
  providerOptions?: SharedV4ProviderOptions | undefined;
  /** Judges each call. Default: the processor's. */
  permissions?: PermissionPolicy | undefined;
  /** Whether a tool is kept from the model. */
  isHidden?: ((tool: string) => boolean) | undefined;
  /** Number of the step in its turn. Default 1. */
  step?: number | undefined;
  /** Number of the attempt at the step. Default 1. */
  attempt?: number | undefined;
  /** Place of the new assistant message in the transcript. Default: behind the prompt. */
  position?: number | undefined;
}

/**
 * What the caller should do: compact the history and try again (the provider refused it as too large), end the turn (the
 * step failed or was aborted), or look whether the model is owed another call.
 */
export type ProcessResult = "compact" | "stop" | "continue";
